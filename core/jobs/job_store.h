#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/number_locks.h"
#include "core/jobs/stored_job.h"

namespace kinescope {

/// A job's lock, which the caller has taken; released with the object.
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

/// The folder of one job, in the hands of this process alone for as long as it lives. Holds job.json and what RunFiles
/// keeps there.
class JobFolder {
public:
    JobFolder(std::filesystem::path path, JobId id, JobLock lock)
        : path_(std::move(path)), id_(id), lock_(std::move(lock)) {}

    const std::filesystem::path& path() const { return path_; }
    /// Throws Error for a folder that is damaged.
    StoredJob read() const;
    /// The old file or the new one stays, whenever the process ends. Throws Error(output_not_writable, disk_full).
    void write(const StoredJob& job) const;
    void remove();

private:
    std::filesystem::path path_;
    JobId id_;
    JobLock lock_;
};

struct FoundJobs {
    std::vector<StoredJob> jobs;       ///< in the order of work; none that another process has
    std::vector<std::string> skipped;  ///< what is there besides, and why it was left alone
};

/// Jobs on disk: one folder each, named by its id, the order of those that were moved, and one file of locks. Several
/// processes may use one; each job is one's alone while it holds the JobFolder. They hold prompts and are run as they
/// are found: the folder is for this user alone, and jobs of another user are left alone.
class JobStore {
public:
    explicit JobStore(std::filesystem::path dir);

    /// Whatever lies in the folder. A job that nobody has and that says it runs was interrupted.
    FoundJobs list() const;
    /// Makes a folder for a new job, which is given its id: `at_least` or above. Throws Error(output_not_writable,
    /// disk_full).
    JobFolder add(StoredJob& job, JobId at_least) const;
    /// nullopt: another process has it, or it is gone.
    std::optional<JobFolder> take(JobId id) const;
    /// Throws Error(output_not_writable, disk_full).
    void write_order(const std::vector<JobId>& order) const;

private:
    std::filesystem::path folder_of(JobId id) const;
    /// Gives a new job's folder its id and its name.
    JobFolder take_name(const std::filesystem::path& made, StoredJob& job, JobId at_least) const;
    std::vector<JobId> read_order() const;
    void look_into(const std::filesystem::path& folder, FoundJobs& found) const;

    std::filesystem::path dir_;
    std::shared_ptr<NumberLocks> locks_;
};

}  // namespace kinescope
