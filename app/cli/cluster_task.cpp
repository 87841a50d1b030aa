#include "app/cli/cluster_task.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <ostream>

#include "app/cli/exit_code.h"
#include "app/cli/job_runner.h"
#include "core/api/json_fields.h"
#include "core/api/steps_of_other_setup.h"
#include "core/base/atomic_file.h"
#include "core/base/logging.h"
#include "core/cluster/attempt_events.h"
#include "core/cluster/batch_folder.h"
#include "core/cluster/import_result.h"
#include "core/cluster/shell_text.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using cluster::AttemptKey;
using cluster::AttemptState;
using cluster::AttemptStatus;
using cluster::StopCause;

std::string variable_text(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? std::string() : text;
}

/// Returns the number in a variable, or 0.
int variable_number(const char* name) {
    const std::string text = variable_text(name);
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::max(number, 0);
}

/// One start of a task on this node.
struct TaskStart {
    cluster::BatchFolder batch;
    int number = 1;
    AttemptKey key;
    cluster::TaskFolder folder;
};

TaskStart read_start(const ClusterArguments& arguments) {
    cluster::BatchFolder batch{arguments.batch};
    const cluster::Submission submission = batch.submission(arguments.submission);
    const auto count = static_cast<int>(submission.tasks.size());
    if (arguments.index < 1 || arguments.index > count)
        throw Error(ErrorCode::bad_usage, fmt::format("the submission has no index {}", arguments.index));
    const int number = submission.tasks[static_cast<std::size_t>(arguments.index - 1)];
    cluster::TaskFolder folder = batch.task_folder(number);
    return {
        std::move(batch), number, {arguments.submission, variable_number("SLURM_RESTART_COUNT")}, std::move(folder)};
}

/// Returns the error of a task's run in the words of a batch: the outputs of the request are relative to the attempt's
/// folder, and a user continues the batch instead of generating the video again.
Error error_of_batch(const Error& error, const fs::path& attempt) {
    if (error.code() != ErrorCode::disk_full) return error;
    std::string message = error.message();
    auto arguments = error.arguments();
    const std::string named = arguments["path"];
    const std::string path = named.empty() ? attempt.string() : (attempt / named).string();
    const auto place = named.empty() ? std::string::npos : message.find(named);
    if (place != std::string::npos) message.replace(place, named.size(), path);
    arguments["path"] = path;
    const bool is_too_large = arguments.contains("limit_bytes") || arguments.contains("file_system_limit");
    if (is_too_large) return {error.code(), message, error.hint(), std::move(arguments)};
    if (named.empty() || !path.starts_with(attempt.string()))
        return {error.code(), message, "Free some space there, then use kinescope-cli cluster resume.", arguments};
    arguments["storage"] = "shared";
    return {error.code(), message,
            "Free space on the shared storage, or ask for a larger quota, then use kinescope-cli cluster resume.",
            std::move(arguments)};
}

/// Passes events on, and keeps the newest preview for the shared storage. Slow storage must not delay the worker.
class PreviewKeeper final : public RunObserver {
public:
    PreviewKeeper(RunObserver& next, fs::path attempt) : next_(next), attempt_(std::move(attempt)) {}

    void on_event(JobId job, const RunEvent& event) override {
        const auto* preview = std::get_if<PreviewReady>(&event);
        if (preview != nullptr && preview->kind == PreviewKind::latent) {
            const std::lock_guard lock(mutex_);
            preview_ = *preview;
        }
        if (const auto* failed = std::get_if<RunFailed>(&event))
            return next_.on_event(job, RunFailed{error_of_batch(failed->error, attempt_)});
        next_.on_event(job, event);
    }
    std::optional<PreviewReady> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(preview_, std::nullopt);
    }

private:
    RunObserver& next_;
    const fs::path attempt_;
    std::mutex mutex_;
    std::optional<PreviewReady> preview_;
};

/// Writes the status file while the job runs, and notices when the task must stop: another start of it has the lease,
/// or the user cancelled it.
class TaskMonitor final : public Progress {
public:
    TaskMonitor(const TaskStart& start, PreviewKeeper& previews)
        : start_(start), previews_(previews), events_(start.folder.attempt(start.key)) {
        status_.node = variable_text("SLURMD_NODENAME");
    }

    void show(JobId, const RunEvent& event) override {
        events_.add(event);
        if (update(state_, event)) take_progress(event);
        if (const auto* done = std::get_if<StepCompleted>(&event)) {
            status_.step = done->step + 1;
            status_.num_steps = done->num_steps;
            status_.step_seconds = done->seconds;
        }
        status_.state = AttemptState::running;
        if (Clock::now() - written_ > kBetweenReports) write();
    }
    void clear() override {}

    /// Stops a task that must not go on. Called often; looks at the shared storage every two seconds.
    Interrupt check() {
        if (Clock::now() - written_ > kHeartbeat) write();
        if (Clock::now() - looked_ < kBetweenLooks) return stop_;
        looked_ = Clock::now();
        try {
            look();
            has_missed_ = false;
        } catch (const Error& error) {
            // The storage may answer the next time, and this task may be all right.
            if (!std::exchange(has_missed_, true)) spdlog::warn("{}; the run goes on", error.message());
        }
        return stop_;
    }

    bool is_superseded() const { return reason_ == StopReason::superseded; }
    bool is_cancelled() const { return reason_ == StopReason::cancelled; }
    AttemptStatus& status() { return status_; }

    void write() {
        if (const auto preview = previews_.take()) events_.show(*preview);
        ++status_.sequence;
        written_ = Clock::now();
        try {
            start_.folder.write_status(start_.key, status_);
            has_warned_ = false;
        } catch (const Error& error) {
            if (!std::exchange(has_warned_, true)) spdlog::warn("{}; the run goes on", error.message());
        }
    }

private:
    enum class StopReason { none, superseded, cancelled };

    static constexpr std::chrono::milliseconds kBetweenReports{500};
    static constexpr std::chrono::seconds kBetweenLooks{2};
    static constexpr std::chrono::seconds kHeartbeat{10};

    void take_progress(const RunEvent& event) {
        status_.phase = to_string(state_.phase);
        status_.seconds_left = state_.done > 0 ? state_.seconds / state_.done * (state_.total - state_.done) : 0;
        if (const auto* phase = std::get_if<PhaseStarted>(&event); phase != nullptr && phase->phase == Phase::denoise)
            status_.num_steps = std::max(status_.num_steps, phase->total);
    }

    /// Throws Error if the shared storage cannot be read now.
    void look() {
        if (!start_.folder.holds_lease(start_.key) || start_.folder.has_result())
            stop(StopReason::superseded);
        else if (start_.batch.is_cancelled(start_.number))
            stop(StopReason::cancelled);
    }

    void stop(StopReason reason) {
        reason_ = reason;
        stop_ = Interrupt::shutdown;
    }

    const TaskStart& start_;
    PreviewKeeper& previews_;
    cluster::AttemptEventWriter events_;
    AttemptStatus status_;
    ProgressState state_;
    Clock::time_point written_;
    Clock::time_point looked_;
    StopReason reason_ = StopReason::none;
    Interrupt stop_ = Interrupt::none;
    bool has_warned_ = false;  ///< that the status cannot be written
    bool has_missed_ = false;  ///< the last look at the shared storage
};

VideoRequest task_request(const TaskStart& start) {
    VideoRequest request = start.batch.task(start.number).request;
    // Threads decide how sums are split, so they are fixed by what Slurm granted, not by the node's cores.
    if (!request.threads)
        for (const char* name : {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"})
            if (const int cpus = variable_number(name); cpus > 0 && !request.threads) request.threads = cpus;
    return request;
}

/// Starts the job, or continues one that was adopted from an earlier attempt.
JobId begin_job(Engine& engine, const TaskStart& start, TaskMonitor& monitor) {
    for (const Job& job : engine.jobs().list()) {
        monitor.status().step = job.step;
        monitor.status().num_steps = job.num_steps;
        spdlog::info("continues after step {} of an earlier start", job.step);
        if (start.batch.remaining_steps() == RemainingSteps::skipped)
            engine.jobs().decode_now(job.id);
        else
            engine.jobs().resume(job.id);
        return job.id;
    }
    return engine.jobs().submit(task_request(start));
}

Error error_in(const Json& document) {
    const auto error = document.find("error");
    if (error == document.end()) return {ErrorCode::internal, "the task failed"};
    return {error_code_from(error->value("code", "")), error->value("message", ""), error->value("hint", ""),
            error->value("arguments", std::map<std::string, std::string>())};
}

/// Publishes the outputs. Returns the state of the attempt.
AttemptState publish_outputs(const TaskStart& start, const Json& outcome) {
    const fs::path outputs = start.folder.outputs(start.key);
    const auto description = cluster::describe_outputs(outputs, kinescope::Json(outcome));
    write_file_atomically(outputs / cluster::kResultFile, description.dump());
    if (!start.folder.holds_lease(start.key)) return AttemptState::superseded;
    return start.folder.publish(start.key) ? AttemptState::finished : AttemptState::superseded;
}

StopCause stop_cause(const TaskMonitor& monitor, Interrupt interrupt) {
    if (monitor.is_cancelled()) return StopCause::cancelled;
    return interrupt == Interrupt::time_limit ? StopCause::time_limit : StopCause::signal;
}

/// Turns the end of the job into the attempt's last report.
int end_attempt(const TaskStart& start, TaskMonitor& monitor, const JobRunner& runner, const Outcome& outcome) {
    AttemptStatus& status = monitor.status();
    status.exit_code = outcome.exit_code;
    if (outcome.exit_code == kDone) {
        status.state = publish_outputs(start, outcome.document);
    } else if (outcome.exit_code == kSuspended || outcome.exit_code == kCancelled) {
        status.state = monitor.is_superseded() ? AttemptState::superseded : AttemptState::stopped;
        status.cause = stop_cause(monitor, runner.interrupt());
    } else {
        status.state = AttemptState::failed;
        status.error = error_in(outcome.document);
    }
    if (status.state == AttemptState::superseded) spdlog::warn("another start of this task goes on; this one ends");
    monitor.write();
    const bool is_full = status.error && status.error->code() == ErrorCode::disk_full;
    return is_full ? cluster::kStorageFull : outcome.exit_code;  // the report may not have been written
}

/// Returns why the steps of an earlier start cannot be continued here: they were made with another version of the
/// program, another model or other settings. nullopt: that is not the cause of the end.
std::optional<std::string> reason_to_start_over(const Outcome& outcome) {
    if (outcome.exit_code == kDone) return std::nullopt;
    const Error error = error_in(outcome.document);
    return error.argument("cause") == kStepsOfOtherSetup ? std::optional(error.message()) : std::nullopt;
}

void make_outputs_folder(const TaskStart& start) {
    std::error_code ignored;
    fs::create_directories(start.folder.outputs(start.key), ignored);
}

/// Replaces the hint of a video that was to be decoded early: repeating its steps may take hours.
Error without_early_end(const Error& error) {
    return {error.code(), error.message(),
            "Restore the setup that the video was started with, or continue the video: it then starts over.",
            error.arguments()};
}

/// Runs the video, from its first step if the saved ones cannot be continued. One that is to be decoded early fails
/// then.
Outcome run_video_job(Engine& engine, JobRunner& runner, const TaskStart& start, TaskMonitor& monitor) {
    const JobId job = begin_job(engine, start, monitor);
    runner.set_failed_start(FailedStart::kept);  // for the second start
    Outcome outcome = runner.follow(job);
    const auto reason = reason_to_start_over(outcome);
    if (!reason) return outcome;
    if (start.batch.remaining_steps() == RemainingSteps::skipped) {
        outcome.document["error"] = to_json(without_early_end(error_in(outcome.document)));
        return outcome;
    }
    const std::string warning = *reason + "; the video starts over";
    spdlog::warn("{}", warning);
    monitor.status().step = 0;
    std::error_code ignored;
    fs::remove_all(start.folder.outputs(start.key), ignored);
    make_outputs_folder(start);
    engine.jobs().retry(job);
    outcome = runner.follow(job);
    outcome.document["warnings"].push_back(warning);
    return outcome;
}

int run_attempt(const Session& session, const TaskStart& start) {
    EventQueue events;
    PreviewKeeper previews(events, start.folder.attempt(start.key));
    TaskMonitor monitor(start, previews);
    monitor.write();
    try {
        start.folder.adopt_saved_step(start.key);
        make_outputs_folder(start);
        fs::current_path(start.folder.attempt(start.key));  // the outputs of the request are relative to it
        const auto engine = make_keeping_engine(session, previews, start.folder.jobs(start.key));
        JobRunner runner(session, *engine, events, monitor, [&monitor] { return monitor.check(); });
        runner.name_jobs_in(start.folder.jobs(start.key));
        const Outcome outcome = run_video_job(*engine, runner, start, monitor);
        return end_attempt(start, monitor, runner, outcome);
    } catch (const Error& error) {
        monitor.status().state = AttemptState::failed;
        monitor.status().error = error;
        monitor.status().exit_code = exit_code_of(error);
        monitor.write();
        throw;
    }
}

int start_task(const Session& session, const ClusterArguments& arguments) {
    const TaskStart start = read_start(arguments);
    spdlog::info("video {} of batch {}, start {}", start.number, start.batch.id(), start.key.name());
    if (start.folder.publish_finished_attempt()) {
        spdlog::info("the video is finished already");
        return kDone;
    }
    if (start.batch.is_cancelled(start.number)) {
        spdlog::info("the video was cancelled");
        return kCancelled;
    }
    if (!start.folder.claim(start.key)) {
        spdlog::warn("a later start of this task exists; this one ends");
        return kDone;
    }
    return run_attempt(session, start);
}

}  // namespace

int run_cluster_task(const Session& session, const ClusterArguments& arguments) {
    try {
        return start_task(session, arguments);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::disk_full) throw;
        print_error(session, error);
        return cluster::kStorageFull;
    }
}

}  // namespace kinescope::cli
