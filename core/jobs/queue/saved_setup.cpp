#include "core/jobs/queue/saved_setup.h"

#include <cstdint>
#include <sstream>
#include <vector>

#include "core/api/joined.h"
#include "core/api/steps_of_other_setup.h"
#include "core/jobs/queue/run_fingerprint.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFingerprint = "fingerprint";
constexpr const char* kModelFingerprint = "model_fingerprint";
constexpr const char* kMadeOn = "made_on";
constexpr const char* kRequest = "request";
constexpr const char* kModified = "modified";  ///< times of RunFingerprint::sampled

std::string value_of(const SavedSetup& setup, const char* name) {
    const auto kept = setup.find(name);
    return kept == setup.end() ? std::string() : kept->second;
}

std::string text_of_times(const std::vector<SampledFile>& files) {
    std::string text;
    for (const SampledFile& file : files) text += std::to_string(file.modified_ns) + " ";
    return text;
}

}  // namespace

SavedSetup saved_setup(const RunFingerprint& fingerprint) {
    return {{kFingerprint, fingerprint.run},
            {kModelFingerprint, fingerprint.model},
            {kMadeOn, fingerprint.device},
            {kRequest, fingerprint.request},
            {kModified, text_of_times(fingerprint.sampled)}};
}

bool is_same_run(const SavedSetup& setup, const RunFingerprint& now) {
    return value_of(setup, kFingerprint) == now.run;
}

std::string device_of(const SavedSetup& setup) {
    return value_of(setup, kMadeOn);
}

void require_same_model(const SavedSetup& setup, const RunFingerprint& now, const fs::path& folder) {
    if (value_of(setup, kModelFingerprint) != now.model) throw_other_setup(folder);
}

void require_same_request(const SavedSetup& setup, const RunFingerprint& now, const fs::path& folder) {
    if (value_of(setup, kRequest) != now.request)
        throw not_usable(folder, "it was made with other settings than those of the job");
}

void throw_other_setup(const fs::path& folder) {
    throw Error(ErrorCode::bad_config,
                "what is saved in " + folder.string() +
                    " cannot be continued: it was made with another version of the program or its libraries, "
                    "another model, another LoRA or another precision",
                "Restore the setup that the job was started with, or start it over (kinescope-cli resume JOB "
                "--start-over).",
                {{"path", folder.string()}, {"cause", kStepsOfOtherSetup}});
}

Error not_usable(const fs::path& folder, const std::string& reason) {
    return {ErrorCode::bad_config,
            "what is saved in " + folder.string() + " cannot be continued: " + reason,
            "Start the job over (kinescope-cli resume JOB --start-over).",
            {{"path", folder.string()}, {"cause", kStepsOfOtherSetup}}};
}

std::set<fs::path> modified_since(const SavedSetup& setup, const RunFingerprint& now) {
    std::istringstream before(value_of(setup, kModified));
    std::set<fs::path> modified;
    for (const SampledFile& file : now.sampled)
        if (std::int64_t time = 0; before >> time && time != file.modified_ns) modified.insert(file.path);
    return modified;
}

std::string device_warning(const std::string& before, const std::string& now, int step) {
    return "the job was started on another kind of device (" + before + ") and continues after step " +
           std::to_string(step) + " on " + now + "; the bits of the video may differ from those of an unbroken run";
}

std::string modified_warning(const std::set<fs::path>& files) {
    return "these files of the model have other modification times than when the job began: " +
           joined(files, ", ", [](const fs::path& file) { return file.string(); }) +
           "; if their contents differ, the video may differ from that of an unbroken run";
}

}  // namespace kinescope
