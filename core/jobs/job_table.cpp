#include "core/jobs/job_table.h"

#include <algorithm>

#include "core/base/log_line.h"
#include "core/jobs/run_files.h"

namespace kinescope {

namespace {

template <class Write>
void try_to_keep(Write write) {
    try {
        write();
    } catch (const Error& error) {
        log_warning(error.message() + "; a job would not outlive the program");
    }
}

}  // namespace

JobTable::JobTable(const std::filesystem::path& jobs_dir) {
    if (jobs_dir.empty()) return;
    store_.emplace(jobs_dir);
    FoundJobs found = store_->list();
    for (const std::string& words : found.skipped) log_warning(words);
    for (StoredJob& job : found.jobs) {
        last_id_ = std::max(last_id_, job.record.id);
        entries_.push_back({.stored = std::move(job), .is_stored = true});
    }
}

std::vector<JobRecord> JobTable::records() const {
    std::vector<JobRecord> records;
    for (const JobEntry& entry : entries_) records.push_back(entry.stored.record);
    return records;
}

JobEntry* JobTable::find(JobId id) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [id](const JobEntry& entry) { return entry.stored.record.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

JobEntry* JobTable::next() {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [](const JobEntry& entry) {
        return entry.may_begin && entry.stored.record.state == JobState::waiting;
    });
    return found == entries_.end() ? nullptr : &*found;
}

JobEntry& JobTable::add(VideoRequest request) {
    JobEntry entry{.stored = make_stored_job(++last_id_, std::move(request)), .may_begin = true};
    if (store_) try_to_keep([&] { entry.folder = store_->add(entry.stored, last_id_); });
    entry.is_stored = entry.folder.has_value();
    last_id_ = entry.stored.record.id;
    return entries_.emplace_back(std::move(entry));
}

void JobTable::take_in_hand(JobEntry& entry) {
    if (!entry.is_stored || entry.folder) return;
    const JobId id = entry.stored.record.id;
    entry.folder = store_->take(id);
    if (!entry.folder)
        throw Error(ErrorCode::unsupported, "job " + std::to_string(id) + " is gone, or another program works on it",
                    "Wait until that program is done.", {{"job", std::to_string(id)}});
    entry.stored = entry.folder->read();
}

void JobTable::save(const JobEntry& entry) {
    if (entry.folder) try_to_keep([&] { entry.folder->write(entry.stored); });
}

void JobTable::let_go(JobEntry& entry) {
    save(entry);
    if (entry.stored.record.state != JobState::failed) {
        if (entry.folder) remove_run_files(entry.folder->path());
        entry.memory->forget();
    }
    entry.folder.reset();
}

void JobTable::begin_anew(JobEntry& entry) {
    if (entry.folder) remove_run_files(entry.folder->path());
    entry.memory->forget();
    entry.stored.record.step = 0;
    entry.stored.record.error.reset();
}

void JobTable::move(JobId id, int position) {
    const JobEntry* entry = find(id);
    if (entry == nullptr) return;
    const auto from = entries_.begin() + (entry - entries_.data());
    const auto to = entries_.begin() + std::clamp(position, 0, static_cast<int>(entries_.size()) - 1);
    if (from < to) std::rotate(from, from + 1, to + 1);
    if (to < from) std::rotate(to, from, from + 1);
    save_order();
}

void JobTable::save_order() {
    if (!store_) return;
    std::vector<JobId> order;
    for (const JobEntry& entry : entries_) order.push_back(entry.stored.record.id);
    try_to_keep([&] { store_->write_order(order); });
}

void JobTable::remove(JobId id) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [id](const JobEntry& entry) { return entry.stored.record.id == id; });
    if (found->folder) found->folder->remove();
    entries_.erase(found);
}

}  // namespace kinescope
