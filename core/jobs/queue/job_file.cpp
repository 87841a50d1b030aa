#include "core/jobs/queue/job_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include "core/api/json_fields.h"
#include "core/api/video_request_json.h"
#include "core/base/file_stamp.h"
#include "core/base/folder_entries.h"
#include "core/base/later_version.h"
#include "core/base/utc_time.h"
#include "core/jobs/queue/run_result_json.h"
#include "core/media/output_path.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;

std::string draw_mark() {
    std::array<char, 9> text{};
    std::snprintf(text.data(), text.size(), "%08x", std::random_device{}());
    return text.data();
}

JobState state_from(const Json& json) {
    const auto state = job_state_from(json.get<std::string>());
    if (!state) throw JsonError("'" + json.get<std::string>() + "' is not a job state");
    return *state;
}

void check_format(int format) {
    if (format > kFormat) throw of_later_version("its format is " + std::to_string(format));
    if (format != kFormat) throw JsonError("its format version is unsupported");
}

VideoRequest request_from(const Json& json, const fs::path& base) {
    if (!json.is_object()) throw JsonError("its request is not an object");
    std::error_code ignored;
    try {
        return parse_request(json.dump(), base == fs::current_path(ignored) ? fs::path() : base);
    } catch (const Error& error) {
        throw of_later_version(error.message());
    }
}

/// Jobs of earlier versions have no result and no tensors.
WrittenVideo written_video_from(const Json& json, const VideoRequest& request) {
    WrittenVideo video{.number = {json.at("device"), json.at("inode")},
                       .result = {.status = RunStatus::completed, .num_frames = request.num_frames.value_or(0)}};
    if (json.contains("result")) video.result = run_result_from(json["result"]);
    for (const Json& tensors : json.value("tensors", Json::array()))
        video.tensors.push_back({tensors.at("device"), tensors.at("inode")});
    return video;
}

Json json_of(const WrittenVideo& video) {
    Json tensors = Json::array();
    for (const FileNumber& file : video.tensors) tensors.push_back({{"device", file.device}, {"inode", file.inode}});
    return {{"device", video.number.device},
            {"inode", video.number.inode},
            {"result", to_json(video.result)},
            {"tensors", tensors}};
}

Json json_of(const InputStamps& inputs) {
    Json json = Json::array();
    for (const auto& [file, stamp] : inputs)
        json.push_back({{"file", file.string()}, {"bytes", stamp.bytes}, {"changed", stamp.changed}});
    return json;
}

InputStamps inputs_from(const Json& json) {
    InputStamps inputs;
    for (const Json& input : json)
        inputs[input.at("file").get<std::string>()] = {.bytes = input.at("bytes"), .changed = input.at("changed")};
    return inputs;
}

JobFile read_fields(const Json& json) {
    check_format(json.at("format"));
    JobFile file;
    file.base = json.at("base").get<std::string>();
    file.mark = json.at("mark");
    file.pid = json.at("pid");
    file.has_begun = json.at("has_begun");
    file.job.request = request_from(json.at("request"), file.base);
    file.job.state = state_from(json.at("state"));
    file.job.num_steps = json.at("num_steps");
    file.job.created = json.at("created");
    file.job.output = json.at("output").get<std::string>();
    if (json.contains("error")) file.job.error = error_from_json(json["error"]);
    if (json.contains("saved")) file.video = written_video_from(json["saved"], file.job.request);
    if (json.contains("inputs")) file.inputs = inputs_from(json["inputs"]);
    return file;
}

/// Removes the temporary files of AtomicFile: "<file>.<pid>-<n>.part".
void remove_parts(const fs::path& file, std::int64_t pid) {
    if (file.empty()) return;
    const std::string prefix = file.filename().string() + "." + std::to_string(pid) + "-";
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code ignored;
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : entries_of(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(".part")) found.push_back(entry.path());
    }
    for (const fs::path& part : found) fs::remove(part, ignored);
}

/// Returns true if a file was written with the video of the job.
bool belongs_to(const JobFile& file, const fs::path& tensors) {
    const auto number = file_number(tensors);
    return file.video && number && std::ranges::count(file.video->tensors, *number) > 0;
}

}  // namespace

std::optional<FileNumber> file_number(const fs::path& file) {
    const auto stamp = file_stamp(file);
    return stamp ? std::optional(FileNumber{stamp->device, stamp->inode}) : std::nullopt;
}

JobFile make_job_file(JobId id, VideoRequest request) {
    JobFile file;
    file.job.id = id;
    file.job.request = std::move(request);
    file.job.created = utc_now();
    std::error_code ignored;
    file.base = fs::current_path(ignored);
    file.mark = draw_mark();
    return file;
}

Json to_json(const JobFile& file) {
    const Job& job = file.job;
    Json json = {{"format", kFormat},
                 {"state", to_string(job.state)},
                 {"created", job.created},
                 {"num_steps", job.num_steps},
                 {"output", job.output.string()},
                 {"base", file.base.string()},
                 {"mark", file.mark},
                 {"pid", file.pid},
                 {"has_begun", file.has_begun},
                 {"request", parse_json(to_json(job.request))}};
    if (job.error) json["error"] = error_json<Json>(*job.error);
    if (file.video) json["saved"] = json_of(*file.video);
    if (!file.inputs.empty()) json["inputs"] = json_of(file.inputs);
    return json;
}

JobFile job_file_from(const Json& json) {
    try {
        return read_fields(json);
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

bool has_final_video(const JobFile& file) {
    return file.video && file_number(file.job.request.output.file) == file.video->number;
}

void remove_leftovers(const JobFile& file) {
    const OutputRequest& output = file.job.request.output;
    remove_temporaries(output.file, file.mark);
    for (const fs::path& tensors : {output.latents, output.frames}) {
        remove_parts(tensors, file.pid);
        std::error_code ignored;
        if (output.overwrite == OverwriteMode::refuse && belongs_to(file, tensors)) fs::remove(tensors, ignored);
    }
}

void forget_video(JobFile& file) {
    if (file.pid != 0 && !has_final_video(file)) remove_leftovers(file);
    file.video.reset();
}

}  // namespace kinescope
