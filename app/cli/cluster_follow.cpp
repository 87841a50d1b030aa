#include "app/cli/cluster_follow.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <ostream>
#include <thread>

#include "app/cli/exit_code.h"
#include "app/cli/job_runner.h"
#include "app/cli/terminal.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

using cluster::BatchView;
using cluster::ClusterBatch;
using cluster::TaskState;
using cluster::TaskView;

std::string minutes_text(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                         : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// Shows the counts of a batch on the last line of the terminal, or as JSON Lines when they change.
class BatchProgress {
public:
    BatchProgress(const Session& session, ProgressKind kind) : session_(session), kind_(kind) {
        if (kind_ == ProgressKind::automatic) kind_ = can_redraw_lines() ? ProgressKind::bar : ProgressKind::none;
    }
    ~BatchProgress() { clear(); }
    BatchProgress(const BatchProgress&) = delete;
    BatchProgress& operator=(const BatchProgress&) = delete;

    bool is_json() const { return kind_ == ProgressKind::json; }
    void show(const BatchView& view) {
        if (kind_ == ProgressKind::bar) {
            std::string line = batch_text(view);
            line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(terminal_columns() - 1, 0))));
            session_.terminal << "\r\x1b[2K" << line << std::flush;
            is_drawn_ = true;
        }
        if (!is_json()) return;
        Json counts = batch_view_json(view);
        counts.erase("tasks");
        print_event(std::move(counts), last_counts_);
        for (const TaskView& task : view.tasks) print_event(task_json(task), last_tasks_[task.number]);
    }
    void clear() {
        if (is_drawn_) session_.terminal << "\r\x1b[2K" << std::flush;
        is_drawn_ = false;
    }

private:
    void print_event(Json event, std::string& last) {
        std::string line = one_line(event);
        if (line == last) return;
        session_.out << line << std::endl;
        last = std::move(line);
    }

    const Session& session_;
    ProgressKind kind_;
    bool is_drawn_ = false;
    std::string last_counts_;
    std::map<int, std::string> last_tasks_;
};

/// What became of the lost tasks of a poll.
enum class LostTasks {
    submitted,     ///< by this program or by the one that has the control
    not_submitted  ///< Slurm did not take them; they are tried again
};

/// Prints what happened to the tasks since the last call.
class TaskReporterForUser {
public:
    TaskReporterForUser(const Session& session, const ClusterBatch& batch, BatchProgress& progress)
        : session_(session), batch_(batch), progress_(progress) {}

    void report_changes(const BatchView& view, LostTasks lost) {
        for (const TaskView& task : view.tasks) {
            if (task.verdict.state == TaskState::lost && lost == LostTasks::not_submitted) continue;
            const TaskState before = std::exchange(states_[task.number], task.verdict.state);
            if (before == task.verdict.state) continue;
            progress_.clear();
            report_change(task);
        }
    }

    /// Prints an error once while it stays the same.
    void report_trouble(const std::optional<Error>& trouble) {
        const std::string text = trouble ? trouble->message() : "";
        if (std::exchange(trouble_, text) == text || !trouble) return;
        progress_.clear();
        print_error(session_, *trouble);
    }

private:
    void report_change(const TaskView& task) {
        const auto& error = task.verdict.error;
        switch (task.verdict.state) {
            case TaskState::imported:
                if (session_.format == OutputFormat::human && !progress_.is_json())
                    session_.out << task.output.string() << std::endl;
                return report_warnings(task);
            case TaskState::failed:
            case TaskState::stopped:
                say(session_, fmt::format("video {} ('{}') {}", task.number, task.output.string(),
                                          to_string(task.verdict.state)));
                if (error && std::exchange(last_error_, error->message()) != error->message())
                    print_error(session_, *error);
                return;
            case TaskState::cancelled:
                say(session_, fmt::format("video {} cancelled", task.number));
                return;
            case TaskState::lost:
                spdlog::warn("video {}: {}; it is submitted again", task.number, error ? error->message() : "lost");
                return;
            default:
                return;
        }
    }

    void report_warnings(const TaskView& task) const {
        try {
            const auto outcome = batch_.result(task.number).outcome;
            for (const auto& warning : outcome.value("warnings", kinescope::Json::array()))
                if (warning.is_string()) spdlog::warn("video {}: {}", task.number, warning.get<std::string>());
        } catch (const Error&) {
            return;  // a deleted result has no warnings
        }
    }

    const Session& session_;
    const ClusterBatch& batch_;
    BatchProgress& progress_;
    std::map<int, TaskState> states_;
    std::string trouble_;
    std::string last_error_;  ///< of a video; many videos of a batch often have the same one
};

/// Returns true for a submission that the cluster will never accept. It may accept others later, for example when a
/// partition is up again or a quota admits them.
bool is_refused(const Error& error) {
    return error.arguments().contains(cluster::kRefusedOptions);
}

/// Returns the exit code that a local run of the task would have.
int task_exit_code(const TaskView& task) {
    switch (task.verdict.state) {
        case TaskState::imported:
            return kDone;
        case TaskState::cancelled:
            return kCancelled;
        case TaskState::failed:
            if (task.status && task.status->state == cluster::AttemptState::failed) return task.status->exit_code;
            return task.verdict.error ? static_cast<int>(exit_code_of(*task.verdict.error)) : kFailed;
        default:
            return kSuspended;
    }
}

Outcome task_outcome(const ClusterBatch& batch, const TaskView& task) {
    Outcome outcome{.exit_code = task_exit_code(task), .document = {{"status", to_string(task.verdict.state)}}};
    if (outcome.exit_code == kBadRequest) outcome.exit_code = kFailed;  // the task was started
    if (task.verdict.error) outcome.document["error"] = to_json(*task.verdict.error);
    if (task.verdict.state != TaskState::imported) return outcome;
    try {
        outcome.document = Json(batch.result(task.number).outcome);
    } catch (const Error& error) {
        outcome.document = {{"status", "completed"}, {"output", task.output.string()}};
    }
    return outcome;
}

/// Returns the options of the batch that the cluster refuses: "--time"; empty: none.
std::string refused_options(const BatchView& view) {
    for (const TaskView& task : view.tasks)
        if (task.verdict.error && is_refused(*task.verdict.error))
            return task.verdict.error->argument(cluster::kRefusedOptions);
    return {};
}

int end_of_batch(const Session& session, const ClusterBatch& batch, const BatchView& view, ProgressKind progress) {
    std::vector<Outcome> outcomes;
    for (const TaskView& task : view.tasks) outcomes.push_back(task_outcome(batch, task));
    if (progress != ProgressKind::json) {
        Json runs = Json::array();
        for (const Outcome& outcome : outcomes) runs.push_back(outcome.document);
        print_json(session, {{"batch", batch.folder().id()}, {"runs", runs}});
    }
    // A result that could not be imported is not made again; its error says what to do.
    const auto left = std::ranges::count_if(view.tasks, [&batch](const TaskView& task) {
        return task.verdict.state != TaskState::imported && !batch.folder().task_folder(task.number).has_result();
    });
    const std::string refused = refused_options(view);
    if (left > 0)
        say(session, std::to_string(left) + (left == 1 ? " video is missing" : " videos are missing") +
                         "; kinescope-cli cluster resume " + batch.folder().id() +
                         (refused.empty() ? "" : " with another " + refused) +
                         (left == 1 ? " continues it" : " continues them"));
    return exit_code_of_all(outcomes);
}

/// Waits in short parts. Returns false if a signal arrived.
bool wait_for_next_poll(double seconds, const InterruptGuard& guard) {
    constexpr std::chrono::milliseconds kPart{50};
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (guard.interrupt() == Interrupt::none && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(kPart);
    return guard.interrupt() == Interrupt::none;
}

Error refused_again(const Error& error) {
    const Error explained = with_options_to_change(error);
    return {error.code(), "the video cannot be submitted again: " + error.message(), explained.hint(),
            error.arguments()};
}

/// Imports results and submits lost videos again. Those that the cluster refuses count as failed.
LostTasks follow_up(ClusterBatch& batch, BatchView& view) {
    try {
        batch.follow_up(view);
    } catch (const Error& error) {
        if (!is_refused(error)) {
            view.trouble = error;
            return LostTasks::not_submitted;
        }
        view = batch.poll();  // some of them may have been accepted
        batch.give_up(view, refused_again(error));
    }
    return LostTasks::submitted;
}

std::string text_of_stop(const BatchView& view, const std::string& batch) {
    const std::string wait = "kinescope-cli cluster wait " + batch;
    if (view.count(TaskState::running) + view.count(TaskState::waiting) == 0)
        return "no video is running or waiting; " + wait + " continues the batch";
    return "the videos go on without this program; " + wait + " follows them, cluster cancel ends them";
}

}  // namespace

Error with_options_to_change(const Error& error) {
    if (!is_refused(error)) return error;
    return {error.code(), error.message(),
            error.hint() + " Then use kinescope-cli cluster resume with another " +
                error.argument(cluster::kRefusedOptions) + ".",
            error.arguments()};
}

std::string batch_text(const BatchView& view) {
    std::string text = fmt::format("{} of {} done", view.count(TaskState::imported), view.tasks.size());
    for (const TaskState state : {TaskState::finished, TaskState::running, TaskState::waiting, TaskState::lost,
                                  TaskState::stopped, TaskState::cancelled, TaskState::failed})
        if (const int count = view.count(state); count > 0) text += fmt::format(", {} {}", count, to_string(state));
    if (view.seconds_left > 0) text += ", about " + minutes_text(view.seconds_left) + " left";
    return text;
}

std::string task_text(const TaskView& task) {
    std::string text(to_string(task.verdict.state));
    const bool shows_step = task.status && task.status->num_steps > 0 && task.verdict.state != TaskState::imported &&
                            task.verdict.state != TaskState::finished;
    if (shows_step) text += fmt::format(", step {} of {}", task.status->step, task.status->num_steps);
    if (!task.verdict.remark.empty()) text += ": " + task.verdict.remark;
    if (task.verdict.error) text += ": " + task.verdict.error->message();
    return text;
}

Json task_json(const TaskView& task) {
    Json json = {{"event", "task"},
                 {"task", task.number},
                 {"state", to_string(task.verdict.state)},
                 {"node", task.node},
                 {"output", task.output.string()}};
    if (!task.verdict.remark.empty()) json["remark"] = task.verdict.remark;
    if (task.verdict.error) json["error"] = to_json(*task.verdict.error);
    if (!task.status) return json;
    json["phase"] = task.status->phase;
    json["step"] = task.status->step;
    json["num_steps"] = task.status->num_steps;
    return json;
}

Json batch_view_json(const BatchView& view) {
    Json json = {{"event", "batch"}};
    for (const TaskState state : {TaskState::waiting, TaskState::running, TaskState::finished, TaskState::imported,
                                  TaskState::failed, TaskState::stopped, TaskState::cancelled, TaskState::lost})
        json[std::string(to_string(state))] = view.count(state);
    json["seconds_left"] = number(view.seconds_left);
    if (view.trouble) json["error"] = to_json(*view.trouble);
    json["tasks"] = Json::array();
    for (const TaskView& task : view.tasks) {
        Json entry = task_json(task);
        entry.erase("event");
        json["tasks"].push_back(std::move(entry));
    }
    return json;
}

int follow_batch(const Session& session, ClusterBatch& batch, const FollowOptions& options) {
    const InterruptGuard guard;
    BatchProgress progress(session, options.progress);
    TaskReporterForUser reporter(session, batch, progress);
    bool has_said_elsewhere = false;
    for (;;) {
        const bool has_control = batch.take_control() == cluster::Control::taken;
        if (!has_control && !std::exchange(has_said_elsewhere, true))
            spdlog::info("another program follows this batch and imports its results");
        BatchView view = batch.poll();
        const LostTasks lost = has_control ? follow_up(batch, view) : LostTasks::submitted;
        reporter.report_changes(view, lost);
        if (has_control) batch.copy_live_logs(view);
        reporter.report_trouble(view.trouble);
        progress.show(view);
        if (view.is_over()) {
            progress.clear();
            return end_of_batch(session, batch, view, options.progress);
        }
        if (wait_for_next_poll(options.poll_seconds, guard)) continue;
        progress.clear();
        say(session, text_of_stop(view, batch.folder().id()));
        return kSuspended;
    }
}

}  // namespace kinescope::cli
