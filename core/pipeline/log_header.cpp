#include "core/pipeline/log_header.h"

#include <set>

#include "core/api/version.h"
#include "core/api/visit_paths.h"
#include "core/base/utc_time.h"
#include "core/device/backend.h"

namespace kinescope {

namespace {

std::vector<FileIdentity> identities(const std::vector<std::filesystem::path>& files) {
    std::vector<FileIdentity> identities;
    for (const auto& file : files) identities.push_back(identify_file(file));
    return identities;
}

/// Returns the request of the part that a job makes. Later parts continue a file in the job's folder, which says
/// nothing about the request.
VideoRequest logged_request(const PreparedRun& job) {
    VideoRequest request = with_originals(to_request(job.request, job.card));
    if (part_index(job) > 0) request.continue_video.reset();
    return request;
}

}  // namespace

std::vector<std::filesystem::path> weight_files(const PreparedRun& job) {
    std::set<std::filesystem::path> files;  // several components may share a file
    for (const auto& [name, choice] : job.policy.components) {
        const auto weights = job.files.open_weights(name);
        files.insert(weights->files().begin(), weights->files().end());
    }
    if (job.request.compute.decode == DecodeMode::draft) files.insert(job.tiny_decoder);
    return {files.begin(), files.end()};
}

NumericLogHeader log_header(const PreparedRun& job, const std::vector<std::filesystem::path>& weights) {
    return {.version = kVersion,
            .started = utc_now(),
            .request = logged_request(job),
            .device = job.policy.device().str(),
            .libraries = job.libraries,
            .settings = numeric_settings(),
            .card = job.card,
            .model_files = identities(weights),
            .policy = job.policy_summary};
}

}  // namespace kinescope
