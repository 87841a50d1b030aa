#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/cluster/attempt.h"
#include "core/cluster/squeue_json.h"

namespace kinescope::cluster {

enum class TaskState {
    waiting,  ///< in Slurm's queue
    running,
    finished,   ///< the result is on the shared storage
    imported,   ///< the outputs have their final names
    failed,     ///< will not run again by itself
    stopped,    ///< by scancel outside of Kinescope; the last finished step is kept
    cancelled,  ///< by the user with Kinescope
    lost        ///< Slurm lost it; it is submitted again
};
std::string_view to_string(TaskState state);
/// Returns true for a task that nothing will change by itself any more.
bool is_over(TaskState state);
/// Returns true for a task that neither waits nor computes any more: its result may still have to be imported.
bool has_ended(TaskState state);
/// Returns true for a task that the user can submit again: failed, stopped, cancelled or lost.
bool can_resume(TaskState state);

/// What Slurm says about a task.
enum class QueueAnswer {
    none,    ///< squeue did not answer, or its answer is not known
    absent,  ///< Slurm does not know the task (any more)
    known
};

/// Everything that decides about a task.
struct TaskFacts {
    bool has_result = false;
    bool is_imported = false;
    bool has_damaged_result = false;           ///< which the storage has damaged, and no other one
    bool is_cancelled = false;                 ///< by the user with Kinescope
    std::optional<AttemptStatus> status = {};  ///< of the newest attempt of the last submission
    int steps_before = 0;                      ///< finished steps when the task was submitted last
    int num_losses = 0;                        ///< automatic submissions since the user's last one without a new step
    int polls_without_process = 0;  ///< in a row, in which Slurm had neither a process nor a place in the queue
    QueueAnswer answer = QueueAnswer::none;
    SlurmTask slurm = {};  ///< if `answer` is known
};

struct TaskVerdict {
    TaskState state = TaskState::waiting;
    std::optional<Error> error = {};  ///< of a failed task; why a stopped or lost task ended
    std::string remark = {};          ///< why a task waits; empty: nothing to say
    std::string reason = {};          ///< the same as Slurm names it: "Resources"
    bool operator==(const TaskVerdict& other) const { return state == other.state && remark == other.remark; }
};

/// A task that was lost is submitted at most this often without having finished a further step.
constexpr int kMostLosses = 3;
/// A task without a process counts as lost after this number of polls, because shared storage may show new files late.
constexpr int kPollsUntilLost = 3;

/// What the batch asked Slurm for, in words for messages. Empty: the cluster's default.
struct AskedFor {
    std::string program;     ///< path of kinescope-cli on the nodes
    std::string memory;      ///< "4.0 GiB"
    std::string time_limit;  ///< "1:00:00"
};
/// Decides what happened to a task and what follows.
TaskVerdict judge(const TaskFacts& facts, const AskedFor& asked);

/// The figures of one task for the estimate.
struct TaskPace {
    TaskState state = TaskState::waiting;
    double seconds_left = 0;  ///< of a running task; 0: unknown
};
/// Estimates the seconds until all tasks are done: the rest of the running ones and `seconds_per_task` for each waiting
/// one, shared by as many tasks as run now. 0: unknown.
double estimate_seconds_left(std::span<const TaskPace> tasks, double seconds_per_task);

}  // namespace kinescope::cluster
