#pragma once

#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/append_file.h"
#include "core/cluster/import_result.h"
#include "core/cluster/slurm_commands.h"
#include "core/cluster/task_state.h"

namespace kinescope::cluster {

/// One task as it is now.
struct TaskView {
    int number = 1;
    TaskVerdict verdict;
    std::optional<AttemptStatus> status = {};  ///< the newest report; may belong to an attempt that has ended
    std::string node;
    std::filesystem::path output;  ///< where the video belongs
};

/// A batch as it is now.
struct BatchView {
    std::vector<TaskView> tasks;
    /// Slurm does not answer, or the storage is full. The states are those that the tasks reported.
    std::optional<Error> trouble = {};
    double seconds_left = 0;  ///< 0: unknown

    int count(TaskState state) const;
    bool is_over() const;
};

/// Who may submit tasks again and import results. One program at a time does.
enum class Control {
    taken,     ///< by this object
    elsewhere  ///< another program has it
};

/// A batch of videos on a Slurm cluster. Its whole state is in its folder, so that any program can continue to follow
/// it at any time. Not thread-safe. All methods block for as long as Slurm's commands and the shared storage take.
class ClusterBatch {
public:
    /// Creates the folder and submits all tasks. If sbatch refuses, deletes the folder and throws its Error.
    static ClusterBatch submit(const std::filesystem::path& shared, const SlurmOptions& options,
                               const std::vector<VideoTask>& tasks, RunCommand run);
    /// Submits all tasks of a new folder. Throws the Error of sbatch if it refuses them. If the answer of sbatch is
    /// lost, the Error has the argument kUnanswered, and the tasks count as submitted.
    void submit_all();
    /// Opens a batch. Throws Error(file_not_found, bad_config).
    ClusterBatch(const std::filesystem::path& folder, RunCommand run);

    const BatchFolder& folder() const { return folder_; }
    /// As BatchFolder::change_options.
    void change_options(const SlurmOptions& options) { folder_.change_options(options); }
    const VideoTask& task(int number) const { return tasks_.at(static_cast<std::size_t>(number - 1)); }

    /// Tries to take the control of the batch until this object is destroyed.
    Control take_control();

    /// Asks Slurm, then reads the tasks' files. Changes nothing.
    BatchView poll();
    /// The same with the answer for several batches. nullptr: Slurm does not answer.
    BatchView poll(const SqueueAnswer* answer);
    /// Polls as often as it takes to tell lost tasks from those whose files appear late, without a pause.
    BatchView settled();
    /// Imports the results of finished tasks and submits lost ones again. Needs the control. Returns the errors by
    /// task; a result that cannot be imported stays on the shared storage and is not tried again by this object.
    std::map<int, Error> follow_up(BatchView& view);
    /// Counts the lost tasks whose submission failed in the last follow_up() as failed with this error, until somebody
    /// submits them again. For submissions that the cluster refuses.
    void give_up(BatchView& view, const Error& error);
    /// Copies the numeric logs of running tasks to "<final name>.<id of the batch>.part" as they grow, see LiveLog. A
    /// copy is deleted when its task has finished, or with the batch.
    void copy_live_logs(const BatchView& view);

    /// Ends tasks; their last finished steps are kept. Tasks that are over are left out. Throws Error(engine_lost) if
    /// Slurm does not answer; the tasks then end as soon as they notice. Throws Error(disk_full or
    /// output_not_writable) if the order cannot be noted; the tasks end nevertheless.
    void cancel(const std::vector<int>& tasks);
    /// Returns the failed, stopped, cancelled and lost tasks without a result.
    std::vector<int> resumable(const BatchView& view) const;
    /// Submits these tasks again; they continue after their last finished step. Returns them.
    std::vector<int> resume(const BatchView& view);

    /// Deletes the folder of the batch, with the finished steps of all tasks, and the copies of their logs.
    void remove();

    /// Returns the result of an imported task. Throws Error(file_changed) if it is damaged.
    TaskResult result(int task) const;

private:
    /// A task that is not submitted again by this object.
    struct GivenUp {
        int submission = 0;  ///< the last one of the task
        Error error;
    };

    void note_cancelled(const std::vector<int>& tasks);
    /// Leaves out tasks that another program has submitted since the last poll.
    void submit_tasks(std::vector<int> tasks, SubmissionReason reason);
    void end_failed_submission(const Submission& submission, const std::exception& error);
    void note_cancelled_again(const std::vector<int>& tasks, int last_submission);
    void find_unnumbered_jobs(const SqueueAnswer& answer);
    TaskView look_at(int number, const SqueueAnswer* answer);
    void apply_given_up(TaskView& view) const;
    TaskFacts facts_of(int number, const SqueueAnswer* answer, TaskView& view);
    int finished_steps(int number) const;
    /// The name of the copy of a numeric log, which no file of the user has; nullopt: the task writes none.
    std::optional<std::filesystem::path> live_copy(int number) const;
    void remove_live_copy(int number) const;
    double seconds_per_task(const BatchView& view) const;

    BatchFolder folder_;
    RunCommand run_;
    std::vector<VideoTask> tasks_;
    std::vector<Submission> submissions_;
    std::set<int> cancelled_;
    std::set<int> imported_;
    std::map<int, int> polls_without_process_;
    std::map<int, Error> import_errors_;
    std::vector<int> refused_;  ///< tasks whose submission failed in the last follow_up()
    std::map<int, GivenUp> given_up_;
    std::map<int, LiveLog> live_logs_;
    AppendFile control_;
};

/// Returns how often a task was submitted automatically since the user's last submission or its last new step. What
/// followed a submission that Slurm has not taken does not count.
int count_losses(const std::vector<Submission>& submissions, int task);

}  // namespace kinescope::cluster
