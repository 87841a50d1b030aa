#include "core/jobs/job_desk.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "core/jobs/translate_error.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

namespace {

std::string now_utc() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

[[noreturn]] void throw_not_fitting(JobId job, std::string_view what) {
    throw Error(ErrorCode::bad_request, "job " + std::to_string(job) + " " + std::string(what),
                "Look at the queue: it may have gone on meanwhile.", {{"job", std::to_string(job)}});
}

/// Enters how a run ended into the job's record.
struct EndWriter {
    JobRecord& record;
    void operator()(const RunFinished& end) const {
        record.state = JobState::finished;
        record.output = end.result.output;
    }
    void operator()(const RunFailed& end) const {
        record.state = JobState::failed;
        record.error = end.error;
    }
    void operator()(const RunCancelled& end) const {
        record.state = JobState::cancelled;
        record.output = end.output;
    }
    template <class Other>
    void operator()(const Other&) const {}
};

}  // namespace

JobDesk::JobDesk(Worker& worker, RunObserver& observer, MakeVideo make_video)
    : worker_(worker), observer_(observer), make_video_(std::move(make_video)) {}

JobDesk::Entries::iterator JobDesk::find(JobId job) {
    return std::find_if(entries_.begin(), entries_.end(), [job](const Entry& entry) { return entry.record.id == job; });
}

JobId JobDesk::submit(VideoRequest request) {
    JobId job = 0;
    {
        const std::lock_guard lock(mutex_);
        job = ++last_job_;
        JobRecord record{.id = job, .request = std::move(request), .created = now_utc(), .error = {}, .output = {}};
        entries_.push_back({.record = std::move(record), .stop = {}});
    }
    announce();
    begin_soon();
    return job;
}

void JobDesk::cancel(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end() || is_over(entry->record.state)) return;
        entry->stop.request();
        if (entry->record.state == JobState::running) return;
        entry->record.state = JobState::cancelled;
    }
    observer_.on_event(job, RunCancelled{});
    announce();
}

std::vector<JobRecord> JobDesk::jobs() {
    const std::lock_guard lock(mutex_);
    std::vector<JobRecord> records;
    for (const Entry& entry : entries_) records.push_back(entry.record);
    return records;
}

void JobDesk::pause(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end()) return;
        if (entry->record.state == JobState::running)
            throw Error(ErrorCode::unsupported, "a job that runs cannot be paused", "Cancel it.");
        if (entry->record.state != JobState::waiting) return;
        entry->record.state = JobState::paused;
    }
    announce();
}

void JobDesk::proceed(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end() || !can_proceed(entry->record.state)) return;
        entry->record.state = JobState::waiting;
    }
    announce();
    begin_soon();
}

void JobDesk::move(JobId job, int position) {
    {
        const std::lock_guard lock(mutex_);
        const auto from = find(job);
        if (from == entries_.end()) return;
        const auto last = static_cast<int>(entries_.size()) - 1;
        const auto to = entries_.begin() + std::clamp(position, 0, last);
        if (from < to) std::rotate(from, from + 1, to + 1);
        if (to < from) std::rotate(to, from, from + 1);
    }
    announce();
}

void JobDesk::edit(JobId job, VideoRequest request) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end() || entry->record.state != JobState::waiting)
            throw_not_fitting(job, "does not wait any more: it cannot be changed");
        entry->record.request = std::move(request);
    }
    announce();
}

void JobDesk::remove(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end()) return;
        if (entry->record.state == JobState::running) {
            entry->goes_when_over = true;
            entry->stop.request();
            return;
        }
        entries_.erase(entry);
    }
    announce();
}

void JobDesk::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void JobDesk::release() {
    {
        const std::lock_guard lock(mutex_);
        held_ = false;
    }
    begin_soon();
}

void JobDesk::retry(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        const auto entry = find(job);
        if (entry == entries_.end() ||
            (entry->record.state != JobState::failed && entry->record.state != JobState::cancelled))
            throw_not_fitting(job, "has neither failed nor been cancelled: there is nothing to try again");
        entry->record.state = JobState::waiting;
        entry->record.step = 0;
        entry->record.error.reset();
        entry->stop = {};
    }
    announce();
    begin_soon();
}

void JobDesk::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (Entry& entry : entries_)
        if (entry.record.state == JobState::running) entry.stop.request();
}

void JobDesk::begin_soon() {
    worker_.post([this] { work_on_next(); });
}

/// Each call that lets a job begin posts one of these; it goes on for as long as there is something to do.
void JobDesk::work_on_next() {
    while (const auto work = take_next()) {
        announce();
        int steps_done = 0;
        const RunEvent end = run(*work, steps_done);
        put_back(work->id, end);
        observer_.on_event(work->id, end);
        announce();
    }
}

std::optional<JobWork> JobDesk::take_next() {
    const std::lock_guard lock(mutex_);
    if (held_ || closed_) return std::nullopt;
    const auto next = std::find_if(entries_.begin(), entries_.end(),
                                   [](const Entry& entry) { return entry.record.state == JobState::waiting; });
    if (next == entries_.end()) return std::nullopt;
    next->record.state = JobState::running;
    return JobWork{next->record.id, next->record.request, next->stop};
}

/// The job boundary: the one place where everything is caught. Returns the job's last event.
RunEvent JobDesk::run(const JobWork& work, int& steps_done) {
    const EventSink emit = [&](const RunEvent& event) {
        if (const auto* step = std::get_if<StepCompleted>(&event)) steps_done = step->step + 1;
        observer_.on_event(work.id, event);
    };
    try {
        work.stop.throw_if_requested();
        return RunFinished{make_video_(work, emit)};
    } catch (const Cancelled&) {
        return RunCancelled{steps_done, {}};
    } catch (const StoppedWhileDecoding& stopped) {
        return RunCancelled{steps_done, stopped.output};
    } catch (...) {
        return RunFailed{translate_error(std::current_exception())};
    }
}

void JobDesk::put_back(JobId job, const RunEvent& end) {
    const std::lock_guard lock(mutex_);
    const auto entry = find(job);
    std::visit(EndWriter{entry->record}, end);
    if (entry->goes_when_over) entries_.erase(entry);
}

void JobDesk::announce() {
    const std::lock_guard telling(telling_);
    observer_.on_event(0, QueueChanged{jobs()});
}

}  // namespace kinescope
