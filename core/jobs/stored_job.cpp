#include "core/jobs/stored_job.h"

#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include "core/api/video_request_json.h"
#include "core/base/utc_time.h"
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

Json error_json(const Error& error) {
    return {{"code", std::string(to_string(error.code()))},
            {"message", error.message()},
            {"hint", error.hint()},
            {"arguments", error.arguments()}};
}

Error error_from(const Json& json) {
    return {error_code_from(json.at("code").get<std::string>()), json.at("message"), json.at("hint"),
            json.at("arguments").get<std::map<std::string, std::string>>()};
}

JobState state_from(const Json& json) {
    const auto state = job_state_from(json.get<std::string>());
    if (!state) throw JsonError("'" + json.get<std::string>() + "' is no state of a job");
    return *state;
}

VideoRequest request_from(const Json& json, const fs::path& base) {
    std::error_code ignored;
    return parse_request(json.dump(), base == fs::current_path(ignored) ? fs::path() : base);
}

StoredJob read(const Json& json) {
    if (json.at("format") != kFormat) throw JsonError("it is of another version");
    StoredJob job;
    job.base = json.at("base").get<std::string>();
    job.mark = json.at("mark");
    job.pid = json.at("pid");
    job.has_begun = json.at("has_begun");
    job.record.request = request_from(json.at("request"), job.base);
    job.record.state = state_from(json.at("state"));
    job.record.num_steps = json.at("num_steps");
    job.record.created = json.at("created");
    job.record.output = json.at("output").get<std::string>();
    if (json.contains("error")) job.record.error = error_from(json["error"]);
    if (json.contains("saved")) job.saved = {json["saved"].at("device"), json["saved"].at("inode")};
    return job;
}

/// AtomicFile's "<file>.<pid>-<n>.part".
void remove_parts(const fs::path& file, std::int64_t pid) {
    if (file.empty()) return;
    const std::string prefix = file.filename().string() + "." + std::to_string(pid) + "-";
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code ignored;
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(prefix) && name.ends_with(".part")) found.push_back(entry.path());
    }
    for (const fs::path& part : found) fs::remove(part, ignored);
}

}  // namespace

std::optional<FileNumber> file_number(const fs::path& file) {
    struct stat status {};
    if (file.empty() || ::stat(file.c_str(), &status) != 0) return std::nullopt;
    return FileNumber{static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino)};
}

StoredJob make_stored_job(JobId id, VideoRequest request) {
    StoredJob job;
    job.record.id = id;
    job.record.request = std::move(request);
    job.record.created = utc_now();
    std::error_code ignored;
    job.base = fs::current_path(ignored);
    job.mark = draw_mark();
    return job;
}

Json to_json(const StoredJob& job) {
    const JobRecord& record = job.record;
    Json json = {{"format", kFormat},
                 {"state", to_string(record.state)},
                 {"created", record.created},
                 {"num_steps", record.num_steps},
                 {"output", record.output.string()},
                 {"base", job.base.string()},
                 {"mark", job.mark},
                 {"pid", job.pid},
                 {"has_begun", job.has_begun},
                 {"request", parse_json(to_json(record.request))}};
    if (record.error) json["error"] = error_json(*record.error);
    if (job.saved) json["saved"] = {{"device", job.saved->device}, {"inode", job.saved->inode}};
    return json;
}

StoredJob stored_job_from(const Json& json) {
    try {
        return read(json);
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

bool is_saved(const StoredJob& job) {
    return job.saved && file_number(job.record.request.output.file) == job.saved;
}

void remove_leftovers(const StoredJob& job) {
    const OutputRequest& output = job.record.request.output;
    remove_temporaries(output.file, job.mark);
    for (const fs::path& file : {output.latents, output.frames}) {
        remove_parts(file, job.pid);
        std::error_code ignored;
        if (job.saved && output.overwrite == OverwriteMode::refuse && !file.empty()) fs::remove(file, ignored);
    }
}

}  // namespace kinescope
