#include "core/jobs/job_desk.h"

#include <unistd.h>

#include "core/jobs/run_files.h"
#include "core/jobs/translate_error.h"
#include "core/media/output_path.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

namespace {

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
    void operator()(const RunPaused& end) const {
        record.state = JobState::paused;
        record.step = end.step;
    }
    template <class Other>
    void operator()(const Other&) const {}
};

/// Of a video whose process was killed after the file had its name and before the job was put down as finished.
RunResult saved_result(const StoredJob& job) {
    const OutputRequest& output = job.record.request.output;
    return {.output = output.file,
            .numeric_log = output.numeric_log,
            .status = "completed",
            .num_frames = job.record.request.num_frames.value_or(0),
            .output_bytes = output_size(output.file)};
}

bool goes_on(JobState state) {
    return can_proceed(state) || state == JobState::failed || state == JobState::waiting;
}

}  // namespace

JobDesk::JobDesk(Setup setup) : setup_(std::move(setup)), table_(setup_.jobs_dir) {}

JobId JobDesk::submit(VideoRequest request) {
    JobId job = 0;
    {
        const std::lock_guard lock(mutex_);
        job = table_.add(std::move(request)).stored.record.id;
    }
    announce();
    begin_soon();
    return job;
}

void JobDesk::cancel(JobId job) {
    RunCancelled cancelled;
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry == nullptr || is_over(entry->stored.record.state)) return;
        entry->wishes.cancel.request();
        entry->wishes.stop.request();
        if (entry->stored.record.state == JobState::running) return;
        table_.take_in_hand(*entry);
        entry->stored.record.state = JobState::cancelled;
        cancelled.step = entry->stored.record.step;
        table_.let_go(*entry);
    }
    setup_.observer.on_event(job, cancelled);
    announce();
}

std::vector<JobRecord> JobDesk::jobs() {
    const std::lock_guard lock(mutex_);
    return table_.records();
}

std::optional<JobRecord> JobDesk::job(JobId job) {
    const std::lock_guard lock(mutex_);
    const JobEntry* entry = table_.find(job);
    return entry == nullptr ? std::nullopt : std::optional(entry->stored.record);
}

void JobDesk::suspend(JobId job) {
    RunPaused paused;
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry == nullptr) return;
        if (entry->stored.record.state == JobState::running) {
            entry->wishes.pause.request();
            entry->wishes.stop.request();
        }
        if (entry->stored.record.state != JobState::waiting) return;
        table_.take_in_hand(*entry);
        entry->stored.record.state = JobState::paused;
        paused.step = entry->stored.record.step;
        table_.save(*entry);
    }
    setup_.observer.on_event(job, paused);
    announce();
}

void JobDesk::pause(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry == nullptr) return;
        if (entry->stored.record.state == JobState::running) entry->wishes.pause.request();
        if (entry->stored.record.state != JobState::waiting) return;
        table_.take_in_hand(*entry);
        entry->stored.record.state = JobState::paused;
        table_.save(*entry);
    }
    announce();
}

void JobDesk::proceed(JobId job) {
    go_on(job, Continuation::all_steps);
}

void JobDesk::decode_now(JobId job) {
    go_on(job, Continuation::decoding);
}

void JobDesk::go_on(JobId job, Continuation continuation) {
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry == nullptr || !goes_on(entry->stored.record.state)) return;
        table_.take_in_hand(*entry);
        if (!goes_on(entry->stored.record.state)) return;
        if (continuation == Continuation::decoding && entry->stored.record.step == 0)
            throw_not_fitting(job, "has no finished step: there is nothing to decode");
        entry->stored.record.state = JobState::waiting;
        entry->stored.record.error.reset();
        entry->wishes = {};
        if (continuation == Continuation::decoding) entry->wishes.end.request();
        entry->may_begin = true;
        table_.save(*entry);
    }
    announce();
    begin_soon();
}

void JobDesk::move(JobId job, int position) {
    {
        const std::lock_guard lock(mutex_);
        table_.move(job, position);
    }
    announce();
}

void JobDesk::edit(JobId job, VideoRequest request) {
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry != nullptr) table_.take_in_hand(*entry);
        if (entry == nullptr || entry->stored.record.state != JobState::waiting)
            throw_not_fitting(job, "does not wait any more: it cannot be changed");
        entry->stored.record.request = std::move(request);
        table_.begin_anew(*entry);
        table_.save(*entry);
    }
    announce();
}

void JobDesk::remove(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry == nullptr) return;
        if (entry->stored.record.state == JobState::running) {
            entry->goes_when_over = true;
            entry->wishes.cancel.request();
            entry->wishes.stop.request();
            return;
        }
        table_.take_in_hand(*entry);
        table_.remove(job);
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
        for (JobEntry& entry : table_.entries()) entry.may_begin = true;
    }
    begin_soon();
}

void JobDesk::retry(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        JobEntry* entry = table_.find(job);
        if (entry != nullptr) table_.take_in_hand(*entry);
        if (entry == nullptr || entry->stored.record.state == JobState::finished ||
            entry->stored.record.state == JobState::running)
            throw_not_fitting(job, "is running, finished or gone: it cannot start over");
        table_.begin_anew(*entry);
        entry->stored.record.state = JobState::waiting;
        entry->wishes = {};
        entry->may_begin = true;
        table_.save(*entry);
    }
    announce();
    begin_soon();
}

void JobDesk::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (JobEntry& entry : table_.entries()) {
        if (entry.stored.record.state != JobState::running) continue;
        if (table_.is_kept()) entry.wishes.pause.request();
        entry.wishes.stop.request();
    }
}

void JobDesk::begin_soon() {
    setup_.worker.post([this] { work_on_next(); });
}

/// Each call that lets a job begin posts one of these; it goes on for as long as there is something to do.
void JobDesk::work_on_next() {
    while (const auto work = take_next()) {
        announce();
        const RunEvent end = run(*work);
        put_back(work->id, end);
        setup_.observer.on_event(work->id, end);
        announce();
    }
}

std::optional<JobWork> JobDesk::take_next() {
    const std::lock_guard lock(mutex_);
    while (!held_ && !closed_) {
        JobEntry* entry = table_.next();
        if (entry == nullptr) return std::nullopt;
        try {
            table_.take_in_hand(*entry);
        } catch (const Error&) {
            entry->may_begin = false;  // another program has it
            continue;
        }
        if (entry->stored.record.state == JobState::waiting) return work_of(*entry);
    }
    return std::nullopt;
}

JobWork JobDesk::work_of(JobEntry& entry) {
    StoredJob& stored = entry.stored;
    const JobId job = stored.record.id;
    JobWork work{.id = job,
                 .request = stored.record.request,
                 .wishes = entry.wishes,
                 .mark = stored.mark,
                 .has_begun = stored.has_begun,
                 .folder = entry.folder ? entry.folder->path() : std::filesystem::path(),
                 .memory = entry.memory,
                 .saved = {},
                 .on_begin = [this, job](const VideoRequest& resolved) { note_begin(job, resolved); },
                 .on_save = [this, job](const std::filesystem::path& temporary) { note_save(job, temporary); }};
    if (is_saved(stored)) work.saved = saved_result(stored);
    if (stored.pid != 0 && !work.saved) remove_leftovers(stored);
    stored.record.state = JobState::running;
    stored.pid = ::getpid();
    if (!work.saved) stored.saved.reset();
    table_.save(entry);
    return work;
}

/// The job boundary: the one place where everything is caught. Returns the job's last event.
RunEvent JobDesk::run(const JobWork& work) {
    int steps_done = 0;
    const EventSink emit = [&](const RunEvent& event) {
        if (const auto* step = std::get_if<StepCompleted>(&event)) {
            steps_done = step->step + 1;
            note_step(work.id, *step);
        }
        setup_.observer.on_event(work.id, event);
    };
    try {
        if (work.saved) return RunFinished{*work.saved};
        work.wishes.stop.throw_if_requested();
        return RunFinished{setup_.make_video(work, emit)};
    } catch (const Paused& paused) {
        return RunPaused{paused.step, paused.memory_bytes};
    } catch (const Cancelled&) {
        return RunCancelled{steps_done, {}};
    } catch (const StoppedWhileDecoding& stopped) {
        return RunCancelled{steps_done, stopped.output};
    } catch (...) {
        return RunFailed{translate_error(std::current_exception())};
    }
}

void JobDesk::note_begin(JobId job, const VideoRequest& resolved) {
    const std::lock_guard lock(mutex_);
    JobEntry* entry = table_.find(job);
    entry->stored.record.request = resolved;
    entry->stored.record.num_steps = resolved.num_inference_steps.value_or(0);
    entry->stored.has_begun = true;
    table_.save(*entry);
}

void JobDesk::note_step(JobId job, const StepCompleted& step) {
    const std::lock_guard lock(mutex_);
    JobRecord& record = table_.find(job)->stored.record;
    record.step = step.step + 1;
    record.num_steps = step.num_steps;
}

void JobDesk::note_save(JobId job, const std::filesystem::path& temporary) {
    const std::lock_guard lock(mutex_);
    JobEntry* entry = table_.find(job);
    entry->stored.saved = file_number(temporary).value_or(FileNumber());
    table_.save(*entry);
}

void JobDesk::put_back(JobId job, const RunEvent& end) {
    const std::lock_guard lock(mutex_);
    JobEntry* entry = table_.find(job);
    std::visit(EndWriter{entry->stored.record}, end);
    // The last step may have been made and not kept.
    if (entry->stored.record.state == JobState::failed && entry->folder)
        entry->stored.record.step = kept_step(entry->folder->path());
    if (entry->goes_when_over) {
        table_.remove(job);
    } else if (is_over(entry->stored.record.state)) {
        table_.let_go(*entry);
    } else {
        table_.save(*entry);
    }
}

void JobDesk::announce() {
    if (setup_.queue_events == QueueEvents::not_sent) return;
    const std::lock_guard telling(telling_);
    setup_.observer.on_event(0, QueueChanged{jobs()});
}

}  // namespace kinescope
