#include "core/pipeline/open_output.h"

#include <vector>

#include "core/api/version.h"
#include "core/api/video_request_json.h"
#include "core/base/json.h"
#include "core/media/video_metadata.h"

namespace kinescope {

namespace {

/// Throws Error(output_exists) if one of the files exists, so that no file next to the video is replaced silently.
void refuse_existing(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        std::error_code ignored;
        if (!file.empty() && std::filesystem::is_regular_file(file, ignored))
            throw Error(ErrorCode::output_exists, file.string() + " already exists",
                        "Choose another name, or allow it to be replaced (--overwrite).", {{"path", file.string()}});
    }
}

/// Refuses to replace the additional files of a run (log, latents, frames). The log of a run that continues may exist.
void refuse_existing_files(const PreparedRun& job) {
    const ResolvedOutput& output = job.request.output;
    if (output.overwrite == OverwriteMode::overwrite) return;
    refuse_existing({output.latents, output.frames});
    if (job.control == nullptr || !job.control->has_begun()) refuse_existing({output.numeric_log, output.numeric_csv});
}

/// Returns the settings for a video's metadata: request, actual policy and versions, as JSON.
std::string describe_run(const PreparedRun& job, int last_step) {
    VideoRequest request = to_request(job.request, job.card);
    request.output = without_files(request.output);
    Json policy = Json::array();
    for (const auto& row : job.policy_summary) {
        policy.push_back({{"component", row.component},
                          {"compute", row.compute},
                          {"storage", row.storage},
                          {"device", row.device},
                          {"reason", row.reason}});
    }
    Json description = {
        {"kinescope", kVersion},
        {"request", parse_json(to_json(request))},
        {"policy", policy},
        {"libraries", job.libraries},
        {"model", {{"family", job.card.family}, {"variant", job.card.variant}, {"name", job.card.name}}}};
    if (last_step > 0) description["stopped_after_step"] = last_step;
    // Paths may contain invalid UTF-8. With `replace`, dump() does not throw for them.
    return description.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns the metadata of a video. It is empty if the request leaves the settings out, because the title is a part of
/// the prompt.
std::map<std::string, std::string> metadata_of(const PreparedRun& job, int last_step) {
    if (job.request.output.settings == SettingsInFile::left_out) return {};
    return video_metadata(job.request.content.prompt, describe_run(job, last_step));
}

}  // namespace

std::unique_ptr<FrameSink> open_output(const PreparedRun& job, int last_step) {
    refuse_existing_files(job);
    if (job.request.output.file.empty()) return nullptr;
    return open_frame_sink({.output = to_request(job.request.output),
                            .width = job.request.content.width,
                            .height = job.request.content.height,
                            .fps = job.request.content.fps,
                            .metadata = metadata_of(job, last_step),
                            .mark = job.control == nullptr ? "" : job.control->mark()});
}

}  // namespace kinescope
