#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/api/job_queue.h"
#include "core/api/video_request.h"
#include "core/base/file_stamp.h"
#include "core/cluster/slurm_options.h"
#include "core/cluster/task_folder.h"

namespace kinescope::cluster {

/// A file that a task makes: its name in the result, and where it belongs.
struct WantedFile {
    std::string name;              ///< "video.mp4"
    std::filesystem::path target;  ///< absolute
};

/// One video of a batch.
struct VideoTask {
    VideoRequest request;  ///< its outputs are relative to an attempt's folder
    std::vector<WantedFile> files;
    OverwriteMode overwrite = OverwriteMode::refuse;
};

/// Returns the task of a request. Its inputs must be absolute paths.
VideoTask make_task(VideoRequest request);

/// Why tasks were submitted.
enum class SubmissionReason {
    first,
    automatic,  ///< they were lost
    resumed     ///< by the user, which also ends the count of automatic submissions
};

/// One array of a batch. Index i of the array is the task `tasks[i - 1]`.
struct Submission {
    int number = 1;
    std::string job = {};  ///< of Slurm; empty: sbatch has not answered, the job may be found by its name
    std::vector<int> tasks;
    SubmissionReason reason = SubmissionReason::first;
    std::vector<int> steps = {};  ///< finished steps of each task when it was submitted
};

/// Returns the error for a folder of the shared storage that is missing or cannot be read. The cause may be temporary.
Error storage_lost(const std::filesystem::path& path, const std::string& reason);

/// Returns an error if the file system of a folder on the shared storage is full. Does not see all quotas.
std::optional<Error> full_storage(const std::filesystem::path& folder);

/// Largest array of one submission: Slurm's MaxArraySize is 1001 unless the site changed it.
constexpr int kLargestArray = 1000;

/// The folder of a batch on the shared storage. Tasks are numbered from 1.
///
///     batch.json               its id, its options, the number of its tasks
///     requests.jsonl           one line for each task
///     submissions/1.json, .sh  the calls of sbatch
///     logs/                    messages of the tasks
///     tasks/00001/             see TaskFolder
///     cancelled.json           numbers of the tasks that the user cancelled
///     decode_now               exists if the last saved steps are to be decoded
class BatchFolder {
public:
    /// Creates a batch in `shared`. Throws Error(output_not_writable, disk_full); nothing is left then.
    static BatchFolder create(const std::filesystem::path& shared, const SlurmOptions& options,
                              const std::vector<VideoTask>& tasks);
    /// Opens a batch. Throws Error(file_not_found, bad_config).
    explicit BatchFolder(std::filesystem::path path);
    /// Reads batch.json again if another program has changed it. Throws as the constructor.
    void update();

    const std::filesystem::path& path() const { return path_; }
    const std::string& id() const { return id_; }
    const SlurmOptions& options() const { return options_; }
    int num_tasks() const { return num_tasks_; }
    /// Replaces the options for later submissions. Throws Error(output_not_writable, disk_full).
    void change_options(const SlurmOptions& options);

    TaskFolder task_folder(int task) const;
    /// Reads requests.jsonl. Throws Error(bad_config).
    std::vector<VideoTask> tasks() const;
    VideoTask task(int number) const;

    /// Returns all submissions in ascending order. Throws Error(bad_config) or storage_lost().
    std::vector<Submission> submissions() const;
    /// Returns one submission. Throws Error(bad_config).
    Submission submission(int number) const;
    /// Writes a new submission and its script. It gets the first number from its own that is free: another program may
    /// submit tasks at the same time.
    void add(Submission& submission) const;
    /// Replaces a submission.
    void write(const Submission& submission) const;
    /// Deletes a submission that sbatch refused.
    void remove(const Submission& submission) const;
    std::filesystem::path script(int submission) const;
    /// Returns the name of a submission's job, by which squeue finds it.
    std::string job_name(int submission) const;
    /// Returns the beginning of the names of all jobs of the batch.
    std::string job_name_prefix() const;

    /// Throws Error(bad_config), and Error(file_unreadable) if the note cannot be read now.
    std::vector<int> cancelled() const;
    bool is_cancelled(int task) const;
    void write_cancelled(const std::vector<int>& tasks) const;

    /// Whether further starts compute the remaining steps, or decode the last saved one.
    RemainingSteps remaining_steps() const;
    void write_remaining_steps(RemainingSteps steps) const;

private:
    void read();
    std::filesystem::path description(int submission) const;

    std::filesystem::path path_;
    std::optional<FileStamp> stamp_;  ///< of batch.json when it was read
    std::string id_;
    SlurmOptions options_;
    int num_tasks_ = 0;
};

}  // namespace kinescope::cluster
