#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/number_locks.h"
#include "core/jobs/queue/job_file.h"

namespace kinescope {

/// Owns the lock of a job, which the caller has acquired. The destructor releases it.
class JobLock {
public:
    JobLock(std::shared_ptr<NumberLocks> locks, JobId id) : locks_(std::move(locks)), id_(id) {}
    ~JobLock() {
        if (locks_) locks_->release(id_);
    }
    JobLock(JobLock&& other) noexcept : locks_(std::move(other.locks_)), id_(other.id_) {}
    JobLock& operator=(JobLock&& other) noexcept {
        std::swap(locks_, other.locks_);
        std::swap(id_, other.id_);
        return *this;
    }

private:
    std::shared_ptr<NumberLocks> locks_;
    JobId id_;
};

/// The folder of one job, which this object locks for this process during its lifetime. Contains job.json and the files
/// of FileCheckpointStore.
class JobFolder {
public:
    JobFolder(std::filesystem::path path, JobId id, JobLock lock)
        : path_(std::move(path)), id_(id), lock_(std::move(lock)) {}

    const std::filesystem::path& path() const { return path_; }
    /// Reads job.json and counts the saved steps. Throws Error if the folder is damaged or cannot be read now.
    JobFile read() const;
    /// Replaces job.json atomically. Throws Error(output_not_writable, disk_full).
    void write(const JobFile& saved) const;
    void remove();

private:
    std::filesystem::path path_;
    JobId id_;
    JobLock lock_;
};

struct FoundJobs {
    std::vector<JobFile> jobs;         ///< in the order in which they run, without jobs that other processes have
                                       ///< locked
    std::vector<std::string> skipped;  ///< why damaged jobs, jobs that cannot be read now, jobs of a
                                       ///< later version and other entries of the folder are not used
};

/// Stores jobs on disk: one folder per job, named by its id; a file with the order; and a lock file. Several processes
/// may use the same store: a JobFolder gives one of them exclusive access to a job. Jobs contain prompts and run
/// automatically, so only this user may access the folder, and jobs of other users are ignored. On a file system
/// without locks, a warning asks the user to run one process only.
class JobStore {
public:
    explicit JobStore(std::filesystem::path dir);

    /// Reads the folder. A job that is marked "running" but that no process has locked becomes "interrupted".
    FoundJobs list() const;
    /// Creates the folder of a new job and sets its id to the first free id that is `at_least` or higher. Throws
    /// Error(output_not_writable, disk_full).
    JobFolder add(JobFile& saved, JobId at_least) const;
    /// Returns true also if the job cannot be read now. Then reading it reports the error.
    bool contains(JobId id) const;
    /// Locks a job. Returns nullopt if another process holds the lock or the job was deleted.
    std::optional<JobFolder> take(JobId id) const;
    /// Saves the order in which the jobs run. Throws Error(output_not_writable, disk_full).
    void write_order(const std::vector<JobId>& order) const;

private:
    std::filesystem::path folder_of(JobId id) const;
    /// Assigns an id to a new job, and renames its folder to this id.
    JobFolder take_name(const std::filesystem::path& made, JobFile& saved, JobId at_least) const;
    std::vector<JobId> read_order() const;
    /// Removes an id from the order. It is that of a new job, which runs last, and may be that of a deleted one.
    void forget_position(JobId id) const;
    void look_into(const std::filesystem::path& folder, FoundJobs& found) const;

    std::filesystem::path dir_;
    std::shared_ptr<NumberLocks> locks_;
};

}  // namespace kinescope
