#include "core/cluster/task_state.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

#include "core/api/slurm_reason.h"
#include "core/cluster/shell_text.h"

namespace kinescope::cluster {

namespace {

constexpr std::array<std::string_view, 8> kTaskStates = {"waiting", "running", "finished",  "imported",
                                                         "failed",  "stopped", "cancelled", "lost"};

std::string node_text(const TaskFacts& facts) {
    if (facts.status && !facts.status->node.empty()) return facts.status->node;
    return facts.slurm.nodes.empty() ? "its node" : facts.slurm.nodes;
}

std::string step_text(const TaskFacts& facts) {
    const int step = std::max(facts.status ? facts.status->step : 0, facts.steps_before);
    return step > 0 ? fmt::format("after step {}", step) : "before its first step";
}

bool has_new_step(const TaskFacts& facts) {
    return facts.status && facts.status->step > facts.steps_before;
}

TaskVerdict failed(Error error) {
    return {.state = TaskState::failed, .error = std::move(error)};
}

TaskVerdict stopped(Error error) {
    return {.state = TaskState::stopped, .error = std::move(error)};
}

/// Submits the task again, unless that has not helped several times.
TaskVerdict lost(const TaskFacts& facts, const std::string& what) {
    if (facts.num_losses >= kMostLosses && !has_new_step(facts))
        return failed(
            {ErrorCode::engine_lost,
             fmt::format("the task was started {} times and ended each time without a further step; last: {}",
                         facts.num_losses + 1, what),
             "Look at the logs in the batch's folder and at the node, then use kinescope-cli cluster resume."});
    return {.state = TaskState::lost, .error = Error(ErrorCode::engine_lost, what)};
}

TaskVerdict at_time_limit(const TaskFacts& facts, const AskedFor& asked) {
    const std::string limit = asked.time_limit.empty() ? "the partition's" : asked.time_limit;
    if (has_new_step(facts)) return lost(facts, fmt::format("time limit reached {}", step_text(facts)));
    return failed({ErrorCode::engine_lost,
                   fmt::format("the time limit ({}) was reached before one step was finished", limit),
                   "Use kinescope-cli cluster resume with a larger --time, or make a smaller video."});
}

TaskVerdict out_of_memory(const TaskFacts& facts, const AskedFor& asked) {
    return failed({ErrorCode::out_of_memory,
                   fmt::format("Slurm ended the task on {}: it used more than the {} of main memory that it asked for",
                               node_text(facts), asked.memory.empty() ? "amount" : asked.memory),
                   "Use kinescope-cli cluster resume with a larger --mem."});
}

/// Returns the failure that kept the task from reporting, or nullopt.
std::optional<Error> unreported_failure(const TaskFacts& facts, const AskedFor& asked) {
    if (facts.answer != QueueAnswer::known || facts.slurm.signal != 0) return std::nullopt;
    const std::string node = node_text(facts);
    switch (facts.slurm.exit_code) {
        case kFolderNotVisible:
            return Error(ErrorCode::file_not_found, "the batch's folder is not visible on " + node,
                         "Use a --shared-dir that every node has mounted under the same path.");
        case kLogNotWritable:
            return Error(ErrorCode::output_not_writable, "the batch's folder is not writable on " + node,
                         "Check the permissions and the free space of the shared storage.");
        case kProgramMissing:
            return Error(
                ErrorCode::file_not_found, "there is no program '" + asked.program + "' on " + node,
                "Install kinescope-cli under the same path on every node, or name its path with kinescope-cli cluster "
                "resume --program.");
        case kStorageFull:
            return Error(ErrorCode::disk_full, "the shared storage is full; the task on " + node + " could not write",
                         "Free space on the shared storage, or ask for a larger quota, then use kinescope-cli cluster "
                         "resume.",
                         {{"storage", "shared"}});
        default:
            return std::nullopt;
    }
}

TaskVerdict end_of_status(const TaskFacts& facts, const AskedFor& asked) {
    const AttemptStatus& status = *facts.status;
    if (status.state == AttemptState::failed) {
        const Error error = status.error.value_or(Error(ErrorCode::internal, "the task failed"));
        const bool is_of_node = error.code() == ErrorCode::device_lost || error.code() == ErrorCode::engine_lost;
        return is_of_node ? lost(facts, error.message()) : failed(error);
    }
    if (status.cause == StopCause::cancelled) return {.state = TaskState::cancelled};
    if (status.cause == StopCause::time_limit) return at_time_limit(facts, asked);
    const bool is_moved =
        facts.answer == QueueAnswer::known && (facts.slurm.state == "PREEMPTED" || facts.slurm.state == "NODE_FAIL");
    if (is_moved) return lost(facts, fmt::format("{} on {}", facts.slurm.state, node_text(facts)));
    if (facts.slurm.state == "TIMEOUT") return at_time_limit(facts, asked);
    // Only Slurm knows whether it has queued the task again, or who stopped it.
    if (facts.answer == QueueAnswer::none) return {.state = TaskState::running};
    return stopped({ErrorCode::cancelled,
                    fmt::format("the task was stopped on {} {}, not by Kinescope", node_text(facts), step_text(facts)),
                    "kinescope-cli cluster resume continues it."});
}

/// The process is gone, and it did not say why.
TaskVerdict silent_end(const TaskFacts& facts, const AskedFor& asked) {
    const bool is_known = facts.answer == QueueAnswer::known;
    const std::string state = is_known ? facts.slurm.state : "";
    if (state == "OUT_OF_MEMORY") return out_of_memory(facts, asked);
    if (state == "TIMEOUT" || state == "DEADLINE") return at_time_limit(facts, asked);
    if (state == "CANCELLED")
        return stopped({ErrorCode::cancelled,
                        fmt::format("the task was cancelled {}, not by Kinescope", step_text(facts)),
                        "kinescope-cli cluster resume continues it."});
    if (auto error = unreported_failure(facts, asked)) return failed(std::move(*error));
    if (facts.polls_without_process < kPollsUntilLost)
        return {.state = facts.status ? TaskState::running : TaskState::waiting};
    if (!is_known) return lost(facts, fmt::format("the task vanished from Slurm's queue {}", step_text(facts)));
    if (state == "COMPLETED" && !facts.status)
        return failed({ErrorCode::bad_request,
                       fmt::format("'{}' ended on {} without a report, so it is not kinescope-cli of this version",
                                   asked.program, node_text(facts)),
                       "Name its path with kinescope-cli cluster resume --program."});
    const std::string why = facts.slurm.reason.empty() ? state : state + ", " + facts.slurm.reason;
    return lost(facts, fmt::format("the task ended on {} {}: {}", node_text(facts), step_text(facts), why));
}

bool has_ended(AttemptState state) {
    return state == AttemptState::finished || state == AttemptState::failed || state == AttemptState::stopped;
}

/// Returns what a reason of Slurm means, for those that a user may not know.
std::string remark_of(const std::string& reason) {
    switch (slurm_reason(reason)) {
        case SlurmReason::begin_time:
            return "Slurm starts it later: two minutes after a requeue, or at the time of --begin";
        case SlurmReason::nodes_not_available:
            return "the nodes that it needs are not available";
        case SlurmReason::time_limit:
            return "its time limit is larger than the partition allows";
        case SlurmReason::held:
            return "it is held; scontrol release lets it start";
        case SlurmReason::quota:
            return "a quota of the cluster: " + reason;
        case SlurmReason::none:
        case SlurmReason::resources:
        case SlurmReason::priority:
        case SlurmReason::storage_full:
        case SlurmReason::other:
            break;
    }
    return reason;
}

/// Slurm's name for the reason why a task waits. In some states it holds the task without a reason of its own.
std::string reason_of(const SlurmTask& task) {
    const bool is_held = task.state == "REQUEUE_HOLD" || task.state == "SPECIAL_EXIT" || task.state == "RESV_DEL_HOLD";
    return is_held ? "JobHeldUser" : task.reason;
}

/// After a failed launch, Slurm queues a task again but never starts it.
bool is_held_after_launch(const SlurmTask& task) {
    return task.reason == "launch_failed_requeued_held" || task.reason == "launch failed requeued held" ||
           task.reason == "JobLaunchFailure";
}

}  // namespace

std::string_view to_string(TaskState state) {
    return kTaskStates.at(static_cast<std::size_t>(state));
}

bool is_over(TaskState state) {
    return state == TaskState::imported || state == TaskState::failed || state == TaskState::stopped ||
           state == TaskState::cancelled;
}

bool has_ended(TaskState state) {
    return is_over(state) || state == TaskState::finished;
}

bool can_resume(TaskState state) {
    return state == TaskState::failed || state == TaskState::stopped || state == TaskState::cancelled ||
           state == TaskState::lost;
}

TaskVerdict judge(const TaskFacts& facts, const AskedFor& asked) {
    if (facts.has_result) return {.state = facts.is_imported ? TaskState::imported : TaskState::finished};
    const bool is_known = facts.answer == QueueAnswer::known;
    const bool has_process = is_known && phase_of(facts.slurm.state) == SlurmPhase::running;
    if (facts.is_cancelled && !has_process) return {.state = TaskState::cancelled};
    if (facts.is_cancelled) return {.state = TaskState::running, .remark = "cancelling"};
    if (has_process) return {.state = TaskState::running};
    if (is_known && phase_of(facts.slurm.state) == SlurmPhase::pending) {
        if (is_held_after_launch(facts.slurm)) return lost(facts, "the node could not start the task");
        const std::string reason = reason_of(facts.slurm);
        return {.state = TaskState::waiting, .remark = remark_of(reason), .reason = reason};
    }
    if (facts.has_damaged_result)
        return failed({ErrorCode::file_changed, "the shared storage damaged the video or the files that belong to it",
                       "kinescope-cli cluster resume makes the video again."});
    if (facts.status && has_ended(facts.status->state) && facts.status->state != AttemptState::finished)
        return end_of_status(facts, asked);
    if (facts.answer == QueueAnswer::none) return {.state = facts.status ? TaskState::running : TaskState::waiting};
    return silent_end(facts, asked);
}

double estimate_seconds_left(std::span<const TaskPace> tasks, double seconds_per_task) {
    double work = 0;
    int running = 0;
    for (const TaskPace& task : tasks) {
        const bool is_waiting = task.state == TaskState::waiting || task.state == TaskState::lost;
        if (task.state == TaskState::running) ++running;
        const bool is_unknown = task.state == TaskState::running && task.seconds_left <= 0;
        if ((is_waiting || is_unknown) && seconds_per_task <= 0) return 0;
        if (is_waiting) work += seconds_per_task;
        if (task.state == TaskState::running) work += is_unknown ? seconds_per_task / 2 : task.seconds_left;
    }
    return running == 0 ? 0 : work / running;
}

}  // namespace kinescope::cluster
