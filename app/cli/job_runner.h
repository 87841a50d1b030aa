#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/event_queue.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/session.h"

namespace kinescope::cli {

/// How a job ended, for the exit code and as JSON (with all warnings and notes of the run).
struct Outcome {
    int exit_code = 0;
    Json document;
};

/// Of the last that did not end well; kBadRequest only where nothing was started at all.
int exit_code_of_all(const std::vector<Outcome>& outcomes);

/// Follows jobs to their last event, on the main thread. While it lives, Ctrl+C cancels the job that it follows;
/// SIGTERM and SIGHUP suspend it.
class JobRunner {
public:
    JobRunner(const Session& session, Engine& engine, EventQueue& events, Progress& progress)
        : session_(session), engine_(engine), events_(events), progress_(progress) {}

    /// A job that ended for good leaves the queue. One that was suspended, or failed after a finished step, stays: only
    /// success or an explicit cancel deletes finished steps.
    Outcome follow(JobId job);
    Interrupt interrupt() const { return interrupt_.interrupt(); }

private:
    Outcome wait_for_end(JobId job);
    /// Stops the job as the signal asks.
    void pass_on(Interrupt interrupt, JobId job);
    /// Keeps what has to be said at the end.
    void remember(const RunEvent& event);
    /// Says and keeps the first warning of each detector and site.
    void warn(const GuardActed& record);
    /// The outcome, if the event is a job's last one.
    std::optional<Outcome> take(JobId job, const RunEvent& event);
    Outcome finish(const RunResult& result);
    Outcome fail(JobId job, const Error& error);
    Outcome stop(const RunCancelled& cancelled);
    Outcome pause(JobId job, const RunPaused& paused);
    /// "the numeric log is in 'a.jsonl'", where a run without a video leaves one; else empty.
    std::string words_of_log() const;
    /// ", 4 of 12 steps reused", where a step cache was asked for: none is worth knowing, too. Else empty.
    std::string words_of_steps() const;
    void tidy_up(JobId job, Outcome& outcome);

    const Session& session_;
    Engine& engine_;
    EventQueue& events_;
    Progress& progress_;
    const InterruptGuard interrupt_;
    bool has_started_ = false;           ///< of the job that is followed: its run began
    std::filesystem::path numeric_log_;  ///< of the job that is followed; empty: none
    Json warnings_ = Json::array();      ///< of that job
    std::set<std::pair<std::string, std::string>> warned_;
    Json notes_ = Json::array();
    struct Steps {
        double cache = 0;  ///< VideoRequest::step_cache
        int made = 0;      ///< in this process
        int reused = 0;    ///< of these, without the model
    };
    Steps steps_;
};

}  // namespace kinescope::cli
