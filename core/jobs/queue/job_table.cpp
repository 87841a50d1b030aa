#include "core/jobs/queue/job_table.h"

#include <algorithm>

#include "core/base/log_line.h"
#include "core/jobs/queue/part_folder.h"

namespace kinescope {

namespace {

/// Returns why nothing could be written.
template <class Write>
std::optional<Error> try_to_write(Write write) {
    try {
        write();
        return std::nullopt;
    } catch (const Error& error) {
        log_warning(error.message() + "; the job is lost when the program ends");
        return error;
    }
}

[[noreturn]] void throw_taken(JobId id) {
    throw Error(ErrorCode::unsupported,
                "job " + std::to_string(id) + " was deleted, or another program is working on it",
                "Wait until the other program has finished the job.", {{"job", std::to_string(id)}});
}

void remove_leftovers_of(const JobFolder& folder) {
    try {
        JobFile file = folder.read();
        if (file.job.state != JobState::interrupted) return;
        file.video.reset();  // complete tensors stay
        forget_video(file);
    } catch (const Error&) {
        return;  // a damaged file does not name them
    }
}

}  // namespace

JobTable::JobTable(const std::filesystem::path& jobs_dir) {
    if (jobs_dir.empty()) return;
    store_.emplace(jobs_dir);
    FoundJobs found = store_->list();
    for (const std::string& reason : found.skipped) log_warning(reason);
    for (JobFile& file : found.jobs) {
        last_id_ = std::max(last_id_, file.job.id);
        entries_.push_back({.file = std::move(file), .has_folder = true});
    }
}

std::vector<Job> JobTable::jobs() const {
    std::vector<Job> jobs;
    for (const QueuedJob& queued : entries_) jobs.push_back(queued.file.job);
    return jobs;
}

QueuedJob* JobTable::find(JobId id) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [id](const QueuedJob& one) { return one.file.job.id == id; });
    return found == entries_.end() ? nullptr : &*found;
}

QueuedJob* JobTable::next() {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [](const QueuedJob& queued) {
        return queued.may_start && queued.file.job.state == JobState::waiting;
    });
    return found == entries_.end() ? nullptr : &*found;
}

QueuedJob& JobTable::add(VideoRequest request, InputStamps inputs) {
    QueuedJob queued{.file = make_job_file(++last_id_, std::move(request)), .may_start = true};
    queued.file.inputs = std::move(inputs);
    if (store_) queued.save_error = try_to_write([&] { queued.folder = store_->add(queued.file, last_id_); });
    queued.has_folder = queued.folder.has_value();
    last_id_ = queued.file.job.id;
    return entries_.emplace_back(std::move(queued));
}

void JobTable::take(QueuedJob& queued) {
    if (!queued.has_folder || queued.folder) return;
    const JobId id = queued.file.job.id;
    queued.folder = store_->take(id);
    if (!queued.folder) throw_taken(id);
}

void JobTable::lock(QueuedJob& queued) {
    if (!queued.has_folder || queued.folder) return;
    take(queued);
    try {
        queued.file = queued.folder->read();
    } catch (const Error&) {
        queued.folder.reset();
        throw;
    }
}

QueuedJob& JobTable::adopt(JobId id) {
    QueuedJob queued{.file = {}, .has_folder = store_.has_value()};
    queued.file.job.id = id;
    if (!store_) throw_taken(id);
    lock(queued);
    last_id_ = std::max(last_id_, id);
    return entries_.emplace_back(std::move(queued));
}

void JobTable::require_free(JobId id) const {
    if (!is_saved(id) || store_->take(id)) return;
    throw Error(ErrorCode::unsupported, "another program is working on job " + std::to_string(id),
                "Wait until the other program has finished the job.", {{"job", std::to_string(id)}});
}

bool JobTable::is_gone(const QueuedJob& queued) const {
    return queued.has_folder && !queued.folder && !is_saved(queued.file.job.id);
}

void JobTable::save(const QueuedJob& queued) {
    if (queued.folder) try_to_write([&] { queued.folder->write(queued.file); });
}

void JobTable::finish(QueuedJob& queued) {
    save(queued);
    if (queued.file.job.state == JobState::failed && queued.unsaved->has_checkpoint()) return;
    if (queued.file.job.state != JobState::failed) {
        if (queued.folder) remove_saved_steps(queued.folder->path());
        queued.unsaved->clear();
    }
    queued.folder.reset();
}

void JobTable::reset(QueuedJob& queued) {
    if (queued.folder) remove_saved_steps(queued.folder->path());
    queued.unsaved->clear();
    queued.file.job.step = 0;
    queued.file.job.error.reset();
    forget_video(queued.file);
}

void JobTable::move(JobId id, int position) {
    const QueuedJob* queued = find(id);
    if (queued == nullptr) return;
    const auto from = entries_.begin() + (queued - entries_.data());
    const auto to = entries_.begin() + std::clamp(position, 0, static_cast<int>(entries_.size()) - 1);
    if (from < to) std::rotate(from, from + 1, to + 1);
    if (to < from) std::rotate(to, from, from + 1);
    save_order();
}

void JobTable::save_order() {
    if (!store_) return;
    std::vector<JobId> order;
    for (const QueuedJob& queued : entries_) order.push_back(queued.file.job.id);
    try_to_write([&] { store_->write_order(order); });
}

void JobTable::remove(JobId id) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [id](const QueuedJob& one) { return one.file.job.id == id; });
    if (found->folder) {
        remove_leftovers_of(*found->folder);
        found->folder->remove();
    }
    entries_.erase(found);
}

}  // namespace kinescope
