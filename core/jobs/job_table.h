#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/jobs/job_keeper.h"
#include "core/jobs/job_store.h"

namespace kinescope {

/// One job of the queue in this process.
struct JobEntry {
    StoredJob stored;
    JobWishes wishes = {};
    std::optional<JobFolder> folder = {};  ///< while the job is in the hands of this process
    std::shared_ptr<MemoryArchive> memory = std::make_shared<MemoryArchive>();  ///< of a job without a folder
    bool is_stored = false;                                                     ///< it has a folder, in whosever hands
    bool may_begin = false;       ///< false: found on disk, and nobody asked for it
    bool goes_when_over = false;  ///< removed while it ran
};

/// The queue and its copy on disk. What cannot be written is told in the log and ends nothing. Not to be used by two
/// threads at once.
class JobTable {
public:
    /// Lists what earlier programs left. An empty folder: nothing is kept on disk.
    explicit JobTable(const std::filesystem::path& jobs_dir);

    bool is_kept() const { return store_.has_value(); }
    std::vector<JobRecord> records() const;
    /// nullptr: there is none.
    JobEntry* find(JobId id);
    /// The first that waits and may begin; nullptr: there is none.
    JobEntry* next();
    /// In the order of work. Entries stay where they are until the table changes.
    std::vector<JobEntry>& entries() { return entries_; }

    JobEntry& add(VideoRequest request);
    /// Makes a job this process's own, with what its folder says now. Throws Error(unsupported) for one that another
    /// process works on.
    void take_in_hand(JobEntry& entry);
    void save(const JobEntry& entry);
    /// Writes a job down that is over, and lets go of it.
    void let_go(JobEntry& entry);
    /// Forgets the steps that were done.
    void begin_anew(JobEntry& entry);
    void move(JobId id, int position);
    void remove(JobId id);

private:
    void save_order();

    std::optional<JobStore> store_;
    std::vector<JobEntry> entries_;
    JobId last_id_ = 0;
};

}  // namespace kinescope
