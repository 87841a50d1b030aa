#include "core/cluster/cluster_job.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/job_list_file.h"
#include "core/base/later_version.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> kWishes{"run", "resume", "decode", "pause", "cancel", "again", "remove"};

Json document_of(const ClusterJob& job) {
    Json document = listed_job_json(job.job);
    document["folder"] = job.folder.string();
    document["wish"] = kWishes.at(static_cast<std::size_t>(job.wish));
    return document;
}

ClusterJob cluster_job_from(const Json& document) {
    const auto wish = std::ranges::find(kWishes, document.at("wish").get<std::string>(),
                                        [](const char* name) { return std::string(name); });
    if (wish == kWishes.end()) throw of_later_version("the wish of a job is not known");
    return {.job = listed_job(document),
            .folder = document.at("folder").get<std::string>(),
            .wish = static_cast<Wish>(wish - kWishes.begin())};
}

RunEvent paused(ClusterJob& job) {
    job.job.state = JobState::paused;
    job.wish = Wish::run;
    return RunPaused{.step = job.job.step};
}

}  // namespace

ClusterJobs read_cluster_jobs(const fs::path& file) {
    ClusterJobs jobs;
    jobs.last_id = read_job_list(file, "Move the file away; the videos stay on the shared storage.",
                                 [&jobs](const Json& job) { jobs.jobs.push_back(cluster_job_from(job)); });
    return jobs;
}

void save_cluster_jobs(const fs::path& file, const ClusterJobs& jobs) {
    Json list = Json::array();
    for (const ClusterJob& job : jobs.jobs) list.push_back(document_of(job));
    save_job_list(file, jobs.last_id, list);
}

bool is_open(const ClusterJob& job) {
    if (job.wish == Wish::again || job.wish == Wish::remove) return true;
    if (is_over(job.job.state)) return false;
    return job.job.state != JobState::paused || job.wish == Wish::cancel;
}

std::optional<RunEvent> follow(ClusterJob& followed, const TaskView& task, const std::optional<RunResult>& result) {
    Job& job = followed.job;
    if (task.status && task.status->num_steps > 0) {
        job.step = std::max(job.step, task.status->step);
        job.num_steps = task.status->num_steps;
    }
    job.waits_for = task.verdict.state == TaskState::waiting ? task.verdict.reason : "";
    switch (task.verdict.state) {
        case TaskState::waiting:
        case TaskState::lost:
            job.state = JobState::waiting;
            return std::nullopt;
        case TaskState::running:
        case TaskState::finished:
            job.state = JobState::running;
            return std::nullopt;
        case TaskState::imported:
            job.state = JobState::finished;
            job.output = job.request.output.file;
            return RunFinished{result.value_or(RunResult{
                .output = job.output, .numeric_log = job.request.output.numeric_log, .status = RunStatus::completed})};
        case TaskState::failed:
            job.state = JobState::failed;
            job.error = task.verdict.error.value_or(Error(ErrorCode::internal, "the task failed"));
            return RunFailed{*job.error};
        case TaskState::stopped:
        case TaskState::cancelled:
            break;
    }
    if (followed.wish != Wish::cancel) return paused(followed);  // also if it was ended outside of the queue
    job.state = JobState::cancelled;
    followed.wish = Wish::run;
    return RunCancelled{.step = job.step, .output = {}};
}

RunEvent with_own_paths(RunEvent event, const VideoRequest& own) {
    if (auto* started = std::get_if<RunStarted>(&event)) started->request.output = own.output;
    if (auto* finished = std::get_if<RunFinished>(&event)) {
        finished->result.output = own.output.file;
        finished->result.numeric_log = own.output.numeric_log;
    }
    return event;
}

}  // namespace kinescope::cluster
