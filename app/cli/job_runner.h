#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/cli/event_queue.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/cli/session.h"

namespace kinescope::cli {

/// The end of a job: the exit code, and a JSON document that includes all warnings and notes.
struct Outcome {
    int exit_code = 0;
    Json document;
};

/// Returns the exit code of the last unsuccessful job; kBadRequest only if no job was started.
int exit_code_of_all(const std::vector<Outcome>& outcomes);

/// A reason to stop that does not come from a signal; asked about 20 times per second. Interrupt::none: go on.
using StopCheck = std::function<Interrupt()>;

/// What happens to a job that fails before its first step is finished.
enum class FailedStart {
    removed,
    kept  ///< in the queue, because the command did not create the job
};

/// Follows jobs to their last event, on the main thread. In the meantime, Ctrl+C cancels the current job; SIGTERM,
/// SIGHUP and SIGUSR1 pause it.
class JobRunner {
public:
    JobRunner(const Session& session, Engine& engine, EventQueue& events, Progress& progress, StopCheck check = {})
        : session_(session), engine_(engine), events_(events), progress_(progress), check_(std::move(check)) {}

    /// Waits for the end of a job. Then removes it from the queue, unless it was paused or failed after a finished
    /// step, even if that could not be saved; see also FailedStart. Deletes finished steps only after success or an
    /// explicit cancel.
    Outcome follow(JobId job);
    Interrupt interrupt() const;
    void set_failed_start(FailedStart failed_start) { failed_start_ = failed_start; }
    /// Makes messages name jobs by their folders, because they are not in the user's queue.
    void name_jobs_in(std::filesystem::path jobs_dir) { jobs_dir_ = std::move(jobs_dir); }
    /// Makes the messages about finished videos name their prompts, because they may differ.
    void name_prompts() { names_prompts_ = true; }
    /// Replaces errors, warnings and notes of jobs by others in the words of the command.
    void explain_with(std::function<Error(const Error&)> explain) { explain_ = std::move(explain); }

private:
    Outcome wait_for_end(JobId job);
    /// Cancels or pauses the job, depending on the signal.
    void forward(Interrupt interrupt, JobId job);
    /// Returns a warning or a note in the words of the command.
    std::string explained(const std::string& text) const;
    /// Collects data of the event for the outcome.
    void remember(const RunEvent& event);
    /// Prints and records the first warning of each detector and site.
    void warn(const GuardActed& record);
    /// Returns the outcome of the job if this is its last event.
    std::optional<Outcome> take(JobId job, const RunEvent& event);
    Outcome finish(const RunResult& result);
    Outcome fail(JobId job, const Error& failure);
    RunProgress progress_of(JobId job) const;
    Outcome stop(const RunCancelled& cancelled);
    Outcome pause(JobId job, const RunPaused& paused);
    /// Reports a paused job that is not saved as a whole.
    Outcome report_unsaved(const Job& job, const RunPaused& paused);
    /// Returns "numeric log: 'a.jsonl'", or an empty string if the file does not exist.
    std::string log_text() const;
    /// Returns ", 4 of 12 steps reused" if the request has a step cache, even if no step was reused; otherwise an empty
    /// string.
    std::string reuse_text() const;
    /// Returns ", previews took 1.2 % of the steps' time" if a tiny decoder made previews; otherwise empty.
    std::string preview_text() const;
    /// Returns how `resume` names the job: "7", or its folder.
    std::string name_of(JobId job) const;
    void remove_unless_resumable(JobId job, Outcome& outcome);

    const Session& session_;
    Engine& engine_;
    EventQueue& events_;
    Progress& progress_;
    const StopCheck check_;
    std::filesystem::path jobs_dir_;  ///< empty: the user's queue
    FailedStart failed_start_ = FailedStart::removed;
    std::function<Error(const Error&)> explain_;
    bool names_prompts_ = false;
    const InterruptGuard interrupt_;
    bool has_started_ = false;           ///< the run of the current job has started
    bool continues_video_ = false;       ///< the current job, so that its frames are those that are new
    std::optional<std::uint64_t> seed_;  ///< of the current job, once it has started
    std::string prompt_;                 ///< likewise
    std::filesystem::path numeric_log_;  ///< log of the current job; empty: none
    Json warnings_ = Json::array();      ///< warnings of the current job
    std::set<std::tuple<Detector, std::string, GuardAction>> warned_;
    Json notes_ = Json::array();
    struct Steps {
        double cache = 0;  ///< threshold of the step cache, VideoRequest::step_cache
        int made = 0;      ///< steps made in this process
        int reused = 0;    ///< steps of `made` that were reused from the step cache
        double seconds = 0;
        double preview_seconds = 0;  ///< of previews by a tiny decoder
    };
    Steps steps_;
};

}  // namespace kinescope::cli
