#include "core/base/job_list_file.h"

#include "core/api/json_fields.h"
#include "core/api/video_request_json.h"
#include "core/base/atomic_file.h"
#include "core/base/file_presence.h"
#include "core/base/later_version.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;

JobId read_list(const Json& document, const std::function<void(const Json& job)>& take) {
    const int format = document.value("format", kFormat);  // earlier versions wrote none
    if (format > kFormat) throw of_later_version("its format is " + std::to_string(format));
    const JobId last_id = document.at("last_id").get<JobId>();
    for (const Json& job : document.at("jobs")) take(job);
    return last_id;
}

}  // namespace

JobId read_job_list(const fs::path& file, const std::string& hint_if_damaged,
                    const std::function<void(const Json& job)>& take) {
    if (!has_entry(file)) return 0;
    const Json document = read_json(file);
    const std::map<std::string, std::string> arguments{{"path", file.string()}};
    try {
        return read_list(document, take);
    } catch (const Error& error) {
        throw Error(error.code(), "'" + file.string() + "' cannot be used: " + error.message(), error.hint(),
                    arguments);
    } catch (const std::exception& error) {
        throw Error(ErrorCode::bad_config, "'" + file.string() + "' is damaged: " + error.what(), hint_if_damaged,
                    arguments);
    }
}

void save_job_list(const fs::path& file, JobId last_id, const Json& jobs) {
    const Json document{{"format", kFormat}, {"last_id", last_id}, {"jobs", jobs}};
    write_file_atomically(file, document.dump(1, ' ', false, Json::error_handler_t::replace), FileAccess::owner_only);
}

Json listed_job_json(const Job& job) {
    Json document{{"id", job.id},
                  {"state", std::string(to_string(job.state))},
                  {"step", job.step},
                  {"num_steps", job.num_steps},
                  {"created", job.created},
                  {"output", job.output.string()},
                  {"request", to_json(job.request)}};
    if (job.error) document["error"] = error_json<Json>(*job.error);
    return document;
}

Job listed_job(const Json& document) {
    Job job;
    job.id = document.at("id").get<JobId>();
    if (job.id < 1) throw JsonError("a job has an invalid id");
    const auto state = job_state_from(document.at("state").get<std::string>());
    if (!state) throw of_later_version("the state of a job is not known");
    job.state = *state;
    job.step = document.at("step").get<int>();
    job.num_steps = document.at("num_steps").get<int>();
    job.created = document.at("created").get<std::string>();
    job.output = document.at("output").get<std::string>();
    job.request = listed_request(document.at("request"));
    if (const auto error = document.find("error"); error != document.end()) job.error = error_from_json(*error);
    return job;
}

VideoRequest listed_request(const Json& text) {
    const auto request = text.get<std::string>();
    parse_json(request);
    try {
        return parse_request(request);
    } catch (const Error& error) {
        throw of_later_version(error.message());
    }
}

}  // namespace kinescope
