#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/jobs/queue/job_run_control.h"
#include "core/jobs/queue/job_store.h"

namespace kinescope {

/// One job of the queue in this process.
struct QueuedJob {
    JobFile file;
    JobFlags flags = {};
    std::optional<JobFolder> folder = {};  ///< set while this process holds the job's lock
    std::shared_ptr<UnsavedJob> unsaved = std::make_shared<UnsavedJob>();  ///< what is not on disk
    std::optional<Error> save_error = {};                                  ///< why the job or its last steps are not
    bool has_folder = false;     ///< has a folder on disk, possibly locked by another process
    bool may_start = false;      ///< false: left by an earlier process and not resumed yet
    bool remove_at_end = false;  ///< removed by the user while running
};

/// The jobs of the queue and their copy on disk. Write errors are logged and do not stop the queue. Not thread-safe.
class JobTable {
public:
    /// Lists the jobs that earlier processes have left. If `jobs_dir` is empty, nothing is saved on disk.
    explicit JobTable(const std::filesystem::path& jobs_dir);

    bool is_on_disk() const { return store_.has_value(); }
    std::vector<Job> jobs() const;
    /// Returns the job with this id, or nullptr if there is none.
    QueuedJob* find(JobId id);
    /// Returns the first waiting job that may start, or nullptr if there is none.
    QueuedJob* next();
    /// Returns the jobs in the order in which they run. Pointers to entries are valid until the table changes.
    std::vector<QueuedJob>& entries() { return entries_; }

    QueuedJob& add(VideoRequest request, InputStamps inputs);
    /// Locks the job for this process. Throws Error(unsupported) if another process holds the lock, or if the job was
    /// deleted.
    void take(QueuedJob& queued);
    /// Locks the job and reads it from disk again. Throws also Error(bad_config) if its file is damaged.
    void lock(QueuedJob& queued);
    /// Returns true if the folder contains the job.
    bool is_saved(JobId id) const { return store_ && store_->contains(id); }
    /// Adds a job that another process has added to the folder, and locks it. Throws Error(unsupported) as lock() does.
    QueuedJob& adopt(JobId id);
    /// Throws Error(unsupported) if another process works on a job that is not in this table.
    void require_free(JobId id) const;
    /// Returns true if another process has deleted the job.
    bool is_gone(const QueuedJob& queued) const;
    void save(const QueuedJob& queued);
    /// Saves a job that has ended, and deletes its checkpoint unless the job failed. Releases its lock, unless this
    /// process has steps of it that are not on disk.
    void finish(QueuedJob& queued);
    /// Deletes the checkpoint, so that the job starts from its first step.
    void reset(QueuedJob& queued);
    void move(JobId id, int position);
    /// Deletes the job, and the temporary files of a process that was killed while it ran.
    void remove(JobId id);

private:
    void save_order();

    std::optional<JobStore> store_;
    std::vector<QueuedJob> entries_;
    JobId last_id_ = 0;
};

}  // namespace kinescope
