#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/api/run_event.h"

namespace kinescope::remote {

/// What is to happen with a job. A new engine process does not know it.
enum class JobIntent { run, decode, pause, cancel, remove };

/// A call that tells a new engine process.
struct JobOrder {
    JobId job = 0;
    JobIntent intent = JobIntent::run;
};

/// What follows from the end of an engine's process.
struct Recovery {
    JobId job = 0;  ///< the job that ran; 0: none
    AfterEngineEnd after = AfterEngineEnd::no_job;
    std::vector<JobOrder> orders;  ///< in the order of the queue
    /// Last events of jobs that ended without one, with their jobs.
    std::vector<std::pair<JobId, RunEvent>> last_events;
};

/// Remembers what a new engine process must be told after the old one ended. Not thread-safe.
class JobLedger {
public:
    void note(JobId job, JobIntent intent) { intents_[job] = intent; }
    /// All waiting jobs may start.
    void release() { released_ = true; }
    void take(JobId job, const RunEvent& event);
    /// What the engine did last, for its end: "job 3 finished step 4 of 20"; empty: no job has run.
    const std::string& last_place() const { return last_place_; }

    /// Decides what to do. `jobs`: the queue as the new engine reads it from the disk; `cause`: the last error of a job
    /// that does not go on.
    Recovery recover(const std::vector<Job>& jobs, const Error& cause);

private:
    void take(const std::vector<Job>& jobs);
    std::optional<JobOrder> order_for(const Job& job, Recovery& recovery, const Error& cause);
    void recover_running(const std::vector<Job>& jobs, Recovery& recovery, const Error& cause);
    bool may_start(const Job& job) const;

    std::map<JobId, JobIntent> intents_;  ///< of jobs whose last event has not come
    bool released_ = false;
    JobId running_ = 0;     ///< the job that runs; 0: none
    JobId last_ended_ = 0;  ///< the job whose last event came last; 0: none
    std::string last_place_;
    std::map<JobId, int> ended_by_;  ///< how many processes ended while they ran this job
};

}  // namespace kinescope::remote
