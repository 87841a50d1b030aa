#include "core/jobs/queue/run_fingerprint.h"

#include "core/api/joined.h"
#include "core/api/version.h"
#include "core/api/visit_paths.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/device/fast_paths.h"

namespace kinescope {

namespace {

std::string sha256_of(const Json& facts) {
    return kinescope::sha256_of(facts.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Names the paths that the device check allows on the devices of a run: "fused norm, cuDNN attention". Empty on a CPU.
std::string fast_paths_of(const PreparedRun& job) {
    FastPaths paths;
    for (const auto& [name, component] : job.policy.components)
        paths.merge(allowed_fast_paths(component.precision.device));
    return joined(paths, ", ", [](FastPath path) { return to_string(path); });
}

/// The instructions of the CPU are a part of the device: those of the nodes of a cluster may differ. So are the fast
/// paths of a GPU, which a later device check may decide differently.
std::string device_text(const PreparedRun& job, const OverrideKey& key) {
    std::string text = key.device;
    if (!key.driver.empty()) text += ", driver " + key.driver;
    const auto kernels = job.libraries.find("cpu_kernels");
    if (kernels != job.libraries.end()) text += ", " + kernels->second + " kernels of the CPU";
    if (const std::string paths = fast_paths_of(job); !paths.empty()) text += ", with " + paths;
    return text;
}

/// Returns what determines the numbers of all steps in a request. Leaves out what may differ when a job goes on: names
/// of files, which another computer may keep elsewhere, and what the device or its memory decides.
VideoRequest steps_request(const ResolvedRequest& resolved, const ModelCard& card) {
    ResolvedRequest kept{.content = resolved.content, .sampling = resolved.sampling};
    kept.content.originals.clear();
    kept.compute.guard = resolved.compute.guard;
    kept.compute.half_accumulation = resolved.compute.half_accumulation;
    VideoRequest request = to_request(kept, card);
    visit_paths(request, [](PathUse, std::filesystem::path& path) { path = "file"; });
    // A condition video may be missing when the job goes on, and then the number of its frames is unknown.
    for (FrameCondition& condition : request.conditions) condition.num_frames = 0;
    return request;
}

}  // namespace

std::string request_fingerprint(const ResolvedRequest& request, const ModelCard& card) {
    // Like job.json, this document has its members in alphabetical order, whatever that of the components.
    return sha256_of(parse_json(to_json(steps_request(request, card))));
}

RunFingerprint run_fingerprint(const PreparedRun& job, const OverrideKey& key, const ModelIdentity& identity) {
    const std::string whole_model = job.card.family + " " + identity.fingerprint;
    Json facts = {{"kinescope", kVersion},    {"device", key.device}, {"driver", key.driver},
                  {"libtorch", key.libtorch}, {"model", whole_model}, {"libraries", job.libraries}};
    const Json model = {{"kinescope", kVersion}, {"libtorch", key.libtorch}, {"model", whole_model}};
    if (const std::string paths = fast_paths_of(job); !paths.empty()) facts["fast_paths"] = paths;
    for (const ComponentPolicy& row : job.policy_summary)
        facts["policy"].push_back(
            {row.component, row.storage, row.compute, row.accumulation, row.attention, row.device});
    return {.run = sha256_of(facts),
            .model = sha256_of(model),
            .device = device_text(job, key),
            .request = request_fingerprint(job.request, job.card),
            .sampled = identity.sampled};
}

}  // namespace kinescope
