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

/// What may have ended an engine's process.
enum class Suspect {
    job,       ///< the job that ran
    question,  ///< a call that it was working on; the job that ran is not blamed
    nobody     ///< no process ended: an engine is started after earlier attempts had failed
};

/// Whether the observer receives an event.
enum class Delivery {
    at_once,
    never,  ///< the event of a job that goes on in a new engine
};

/// What follows from the end of an engine's process.
struct Recovery {
    JobId job = 0;  ///< the job that ran; 0: none
    AfterEngineEnd after = AfterEngineEnd::no_job;
    std::vector<JobOrder> orders;  ///< in the order of the queue
    /// Last events of jobs that ended without one, with their jobs.
    std::vector<std::pair<JobId, RunEvent>> last_events;
};

/// Returns true if the run of a job ends with this event.
bool is_last_event(const RunEvent& event);

/// Remembers what a new engine process must be told after the old one ended. Not thread-safe.
class JobLedger {
public:
    /// Returns the earlier intent.
    std::optional<JobIntent> note(JobId job, JobIntent intent);
    /// Restores the earlier intent, because the engine has refused the call.
    void take_back(JobId job, JobIntent refused, std::optional<JobIntent> earlier);
    /// All waiting jobs may start.
    void release() { released_ = true; }
    /// An engine that lost its device ends. That job goes on like one that ended its engine.
    Delivery take(JobId job, const RunEvent& event);
    /// What the engine did last, for its end: "job 3 finished step 4 of 20"; empty: no job has run.
    const std::string& last_place() const { return last_place_; }

    /// Decides what to do. `jobs`: the queue as the new engine reads it from the disk; `cause`: the last error of a job
    /// that does not go on.
    Recovery recover(const std::vector<Job>& jobs, const Error& cause, Suspect suspect);
    /// No new engine can be started: the job that ran is set aside until the user continues it.
    Recovery stop(const Error& cause);
    /// The queue without an engine, as the last one reported it.
    const std::vector<Job>& jobs() const { return jobs_; }

private:
    void take(const std::vector<Job>& jobs);
    void end(JobId job, const RunEvent& event);
    void count(JobId job, const StepCompleted& step);
    std::optional<JobOrder> order_for(const Job& job, Recovery& recovery, const Error& cause);
    void recover_running(const std::vector<Job>& jobs, Recovery& recovery, const Error& cause, Suspect suspect);
    bool may_start(const Job& job) const;

    std::map<JobId, JobIntent> intents_;  ///< of jobs whose last event has not come
    std::vector<Job> jobs_;               ///< as the engine last listed them
    bool released_ = false;
    JobId running_ = 0;                 ///< the job that runs; 0: none
    std::optional<Error> lost_device_;  ///< the error of that job, if the device was lost
    JobId last_ended_ = 0;              ///< the job whose last event came last; 0: none
    std::string last_place_;
    std::map<JobId, int> ended_by_;  ///< how many processes ended while they ran this job
};

}  // namespace kinescope::remote
