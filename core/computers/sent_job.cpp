#include "core/computers/sent_job.h"

#include <array>
#include <utility>

#include "core/api/video_request_json.h"
#include "core/base/job_list_file.h"
#include "core/base/later_version.h"
#include "core/computers/file_names.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<Stage, const char*>, 5> kStages{{{Stage::here, "here"},
                                                                {Stage::there, "there"},
                                                                {Stage::fetching, "fetching"},
                                                                {Stage::cleaning, "cleaning"},
                                                                {Stage::done, "done"}}};
constexpr std::array<std::pair<Order, const char*>, 6> kOrders{{{Order::none, "none"},
                                                                {Order::cancel, "cancel"},
                                                                {Order::pause, "pause"},
                                                                {Order::pause_at_once, "pause_at_once"},
                                                                {Order::resume, "resume"},
                                                                {Order::decode, "decode"}}};

/// An earlier version asked the other computer to start a job over.
constexpr const char* kFormerRetry = "retry";

constexpr const char* kResultsGone = "results_gone";

template <class Names, class Value>
const char* word_for(const Names& names, Value value) {
    for (const auto& [known, name] : names)
        if (known == value) return name;
    return names.front().second;
}

template <class Names>
auto value_for(const Names& names, const std::string& word) {
    for (const auto& [value, name] : names)
        if (word == name) return value;
    throw of_later_version("\"" + word.substr(0, 40) + "\" is not known");
}

Json document_of(const SentJob& sent) {
    Json document = listed_job_json(sent.job);
    document.update({{"own", to_json(sent.own)},
                     {"token", sent.token},
                     {"stage", word_for(kStages, sent.stage)},
                     {"there", sent.there},
                     {"is_sent", sent.is_sent},
                     {"order", word_for(kOrders, sent.order)},
                     {"is_removed", sent.is_removed},
                     {"is_partial", sent.is_partial},
                     {"deaths", sent.deaths}});
    return document;
}

/// A job that was to start over counts as failed, so that the user can start it over.
void read_order(const std::string& word, SentJob& sent) {
    if (word == kFormerRetry)
        sent.job.state = JobState::failed;
    else
        sent.order = value_for(kOrders, word);
}

SentJob sent_job_from(const Json& document) {
    SentJob sent;
    sent.job = listed_job(document);
    sent.own = listed_request(document.at("own"));
    sent.token = document.at("token").get<std::string>();
    if (!is_token(sent.token)) throw JsonError("a job has an invalid token");
    sent.stage = value_for(kStages, document.at("stage").get<std::string>());
    sent.there = document.at("there").get<JobId>();
    sent.is_sent = document.at("is_sent").get<bool>();
    read_order(document.at("order").get<std::string>(), sent);
    sent.is_removed = document.at("is_removed").get<bool>();
    sent.is_partial = document.at("is_partial").get<bool>();
    sent.deaths = document.at("deaths").get<int>();
    return sent;
}

}  // namespace

SentJobs read_sent_jobs(const fs::path& file) {
    SentJobs sent;
    sent.last_id = read_job_list(file, "Move the file away; the results of its jobs stay on the other computer.",
                                 [&sent](const Json& job) { sent.jobs.push_back(sent_job_from(job)); });
    return sent;
}

void save_sent_jobs(const fs::path& file, const SentJobs& sent) {
    Json jobs = Json::array();
    for (const SentJob& job : sent.jobs) jobs.push_back(document_of(job));
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    save_job_list(file, sent.last_id, jobs);
}

Error results_gone() {
    return {ErrorCode::file_not_found,
            "the results of the job are no longer on the other computer",
            "Start the job over.",
            {{"cause", kResultsGone}}};
}

bool has_lost_results(const SentJob& sent) {
    return sent.job.error && sent.job.error->argument("cause") == kResultsGone;
}

bool is_open(const SentJob& sent) {
    if (sent.order != Order::none) return true;
    switch (sent.stage) {
        case Stage::here:
            return sent.job.state == JobState::waiting || sent.is_removed;
        case Stage::there:
            return sent.is_removed || sent.job.state == JobState::waiting || sent.job.state == JobState::running;
        case Stage::fetching:
            return sent.is_removed || sent.job.state != JobState::failed;
        case Stage::cleaning:
            return true;
        case Stage::done:
            return sent.is_removed;
    }
    return false;
}

}  // namespace kinescope::computers
