#include "core/jobs/queue/local_job_queue.h"

#include "core/api/job_end.h"
#include "core/api/killed_reader.h"
#include "core/api/resolved_request.h"
#include "core/base/ended_process.h"
#include "core/base/log_line.h"
#include "core/jobs/queue/kept_steps.h"
#include "core/jobs/queue/part_folder.h"
#include "core/jobs/translate_error.h"
#include "core/media/output_path.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

namespace {

constexpr std::string_view kNotChangeable = "cannot be changed: it is running, over or deleted";

[[noreturn]] void throw_unsuitable(JobId job, std::string_view what) {
    throw Error(ErrorCode::bad_request, "job " + std::to_string(job) + " " + std::string(what),
                "The job may have changed in the meantime; check the queue.", {{"job", std::to_string(job)}});
}

/// Throws for a job whose process was killed after it had completed the video.
[[noreturn]] void throw_complete(const JobFile& file) {
    const std::string job = std::to_string(file.job.id);
    throw Error(
        ErrorCode::bad_request,
        "job " + job + " cannot be changed: its video, " + file.job.request.output.file.string() + ", is complete",
        "Continue the job to mark it as finished. kinescope-cli finish changes the video.", {{"job", job}});
}

/// Returns the result of a job whose process was killed after renaming the video and before saving the job as finished.
RunResult result_of_finished_video(const JobFile& file) {
    const OutputRequest& output = file.job.request.output;
    RunResult result = file.video->result;
    result.output = output.file;
    result.numeric_log = output.numeric_log;
    result.output_bytes = output_size(output.file);
    return result;
}

bool is_of_lost_device(const RunEvent& end) {
    const auto* failed = std::get_if<RunFailed>(&end);
    return failed != nullptr && failed->error.code() == ErrorCode::device_lost;
}

/// Returns true if the saved steps of a request remain valid, because only the steps after its frames change.
bool changes_only_finish(VideoRequest before, const VideoRequest& after) {
    before.finish = after.finish;
    return before == after;
}

/// Returns true if the files that a run writes step by step are those of the other request.
bool has_same_logs(const OutputRequest& before, const OutputRequest& after) {
    return before.numeric_log == after.numeric_log && before.numeric_csv == after.numeric_csv &&
           before.preview_dir == after.preview_dir;
}

Error with_argument(const Error& error, const char* name, std::string value) {
    auto arguments = error.arguments();
    arguments[name] = std::move(value);
    return {error.code(), error.message(), error.hint(), std::move(arguments)};
}

/// Adds the number of steps that are on disk nevertheless.
Error with_saved_steps(const Error& error, int saved) {
    return with_argument(error, "saved_steps", std::to_string(saved));
}

int steps_on_disk(const QueuedJob& queued) {
    return queued.folder ? saved_steps(queued.folder->path(), queued.file.job.request) : 0;
}

/// The number that the run has counted stays: a job without steps could be deleted.
void warn_of_uncounted_steps(const Job& job, const Error& error) {
    log_warning(error.message() + "; the saved steps of job " + std::to_string(job.id) + " cannot be counted now");
}

/// Sets the number of steps after which a failed job continues. Its last finished step may not have been saved.
void record_kept_steps(QueuedJob& failed) {
    Job& job = failed.file.job;
    const std::filesystem::path folder = failed.folder ? failed.folder->path() : std::filesystem::path();
    try {
        const int kept = kept_steps(folder, *failed.unsaved, job.request);
        const int saved = steps_on_disk(failed);
        job.step = kept;
        if (job.step > saved) job.error = with_saved_steps(*job.error, saved);
        if (!failed.folder) job.error = with_argument(*job.error, "saved_job", "no");
    } catch (const Error& error) {
        warn_of_uncounted_steps(job, error);
    }
}

/// Returns the error of a paused job that is not on disk as a whole.
Error error_of_unsaved(const QueuedJob& paused) {
    const Error& error = *paused.save_error;
    if (!paused.folder) return error;
    try {
        return with_saved_steps(error, steps_on_disk(paused));
    } catch (const Error&) {
        return with_saved_steps(error, 0);  // they cannot be counted now
    }
}

}  // namespace

LocalJobQueue::LocalJobQueue(Setup setup) : setup_(std::move(setup)), table_(setup_.jobs_dir) {}

JobId LocalJobQueue::submit(VideoRequest request) {
    JobId id = 0;
    InputStamps inputs = input_stamps(request);  // before the lock, because a drive may be slow
    {
        const std::lock_guard lock(mutex_);
        QueuedJob& queued = table_.add(std::move(request), std::move(inputs));
        id = queued.file.job.id;
        queued.may_start = starts_by_itself();
    }
    announce();
    wake_worker();
    return id;
}

std::vector<Job> LocalJobQueue::list() {
    const std::lock_guard lock(mutex_);
    return table_.jobs();
}

std::optional<Job> LocalJobQueue::find(JobId job) {
    const std::lock_guard lock(mutex_);
    const QueuedJob* queued = table_.find(job);
    if (queued == nullptr && starts_by_itself()) table_.require_free(job);
    return queued == nullptr ? std::nullopt : std::optional(queued->file.job);
}

QueuedJob* LocalJobQueue::find_job(JobId job) {
    QueuedJob* const queued = table_.find(job);
    if (queued != nullptr || starts_by_itself() || !table_.is_saved(job)) return queued;
    QueuedJob& adopted = table_.adopt(job);
    adopted.folder.reset();  // the caller locks it to change it
    return &adopted;
}

void LocalJobQueue::cancel(JobId job) {
    RunCancelled cancelled;
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued == nullptr || is_over(queued->file.job.state)) return;
        queued->flags.request_cancel();
        if (queued->file.job.state == JobState::running) return;
        cancelled.step = stop_idle(*queued, JobState::cancelled);
    }
    setup_.observer.on_event(job, cancelled);
    announce();
}

void LocalJobQueue::pause(JobId job, PausePoint point) {
    RunPaused paused;
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued == nullptr) return;
        if (queued->file.job.state == JobState::running) {
            queued->flags.pause.request();
            if (point == PausePoint::at_once) queued->flags.stop.request();
        }
        if (queued->file.job.state != JobState::waiting) return;
        paused.step = stop_idle(*queued, JobState::paused);
    }
    setup_.observer.on_event(job, paused);
    announce();
}

int LocalJobQueue::stop_idle(QueuedJob& queued, JobState state) {
    table_.lock(queued);
    queued.file.job.state = state;
    note_what_is_unsaved(queued);
    if (is_over(state))
        table_.finish(queued);
    else
        table_.save(queued);
    return queued.file.job.step;
}

void LocalJobQueue::note_what_is_unsaved(QueuedJob& queued) const {
    if (queued.file.job.state == JobState::paused && queued.save_error)
        queued.file.job.error = error_of_unsaved(queued);
}

void LocalJobQueue::resume(JobId job) {
    queue_again(job, RemainingSteps::computed);
}

void LocalJobQueue::decode_now(JobId job) {
    queue_again(job, RemainingSteps::skipped);
}

void LocalJobQueue::queue_again(JobId job, RemainingSteps steps) {
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued == nullptr || !can_queue_again(queued->file.job.state)) return;
        table_.lock(*queued);
        if (!can_queue_again(queued->file.job.state)) return;
        make_waiting(*queued, steps);
        queued->may_start = starts_by_itself();
    }
    announce();
    wake_worker();
}

void LocalJobQueue::make_waiting(QueuedJob& queued, RemainingSteps steps) {
    Job& job = queued.file.job;
    if (steps == RemainingSteps::skipped && job.step == 0) throw_unsuitable(job.id, "has no finished step to decode");
    job.state = JobState::waiting;
    job.error.reset();
    queued.flags = {};
    if (steps == RemainingSteps::skipped) queued.flags.decode.request();
    table_.save(queued);
}

void LocalJobQueue::start(JobId job, RemainingSteps steps) {
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* found = table_.find(job);
        const bool was_locked = found != nullptr && found->folder.has_value();
        QueuedJob& queued = found == nullptr ? table_.adopt(job) : *found;
        if (queued.file.job.state == JobState::running) throw_unsuitable(job, "cannot start: it is running");
        table_.lock(queued);
        try {
            if (!can_queue_again(queued.file.job.state)) throw_unsuitable(job, "cannot start: it is over");
            make_waiting(queued, steps);
        } catch (const Error&) {
            if (!was_locked) queued.folder.reset();
            throw;
        }
        queued.may_start = true;
    }
    announce();
    wake_worker();
}

void LocalJobQueue::hand_over(JobId job) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    if (queued == nullptr) return;
    if (queued->file.job.state == JobState::running) throw_unsuitable(job, "cannot be handed over: it is running");
    if (!queued->has_folder || queued->unsaved->has_checkpoint())
        throw Error(ErrorCode::unsupported,
                    "job " + std::to_string(job) + " cannot be handed over: it is not saved on disk",
                    "Free space on the disk of the jobs folder, continue the job here and pause it again: its steps "
                    "are saved then.",
                    {{"job", std::to_string(job)}});
    queued->may_start = false;
    queued->folder.reset();
}

void LocalJobQueue::retry(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued != nullptr) table_.lock(*queued);
        if (queued == nullptr || queued->file.job.state == JobState::finished ||
            queued->file.job.state == JobState::running)
            throw_unsuitable(job, "cannot start over: it is running, finished or deleted");
        table_.reset(*queued);
        queued->file.job.state = JobState::waiting;
        queued->flags = {};
        queued->may_start = starts_by_itself();
        table_.save(*queued);
    }
    announce();
    wake_worker();
}

void LocalJobQueue::move(JobId job, int position) {
    {
        const std::lock_guard lock(mutex_);
        table_.move(job, position);
    }
    announce();
}

void LocalJobQueue::edit(JobId job, VideoRequest request) {
    InputStamps inputs = input_stamps(request);
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued == nullptr) throw_unsuitable(job, kNotChangeable);
        const bool was_locked = queued->folder.has_value();
        table_.lock(*queued);
        try {
            change(*queued, std::move(request), std::move(inputs));
        } catch (const Error&) {
            if (!was_locked) queued->folder.reset();
            throw;
        }
    }
    announce();
}

void LocalJobQueue::change(QueuedJob& queued, VideoRequest request, InputStamps inputs) {
    JobFile& file = queued.file;
    if (!can_queue_again(file.job.state)) throw_unsuitable(file.job.id, kNotChangeable);
    const bool keeps_steps = changes_only_finish(file.job.request, request);
    if (!keeps_steps && file.job.state != JobState::waiting)
        throw_unsuitable(file.job.id, "cannot be changed, except for its finish steps: it is no longer waiting");
    const bool is_changed = file.job.request != request;
    if (is_changed && has_final_video(file) && request.output.overwrite == OverwriteMode::refuse) throw_complete(file);
    if (!has_same_logs(file.job.request.output, request.output)) file.has_begun = false;
    if (is_changed) forget_video(file);
    file.job.request = std::move(request);
    file.inputs = std::move(inputs);
    if (!keeps_steps) table_.reset(queued);
    table_.save(queued);
}

void LocalJobQueue::remove(JobId job) {
    {
        const std::lock_guard lock(mutex_);
        QueuedJob* queued = find_job(job);
        if (queued == nullptr) return;
        if (queued->file.job.state == JobState::running) {
            queued->remove_at_end = true;
            queued->flags.request_cancel();
            return;
        }
        if (!table_.is_gone(*queued)) table_.take(*queued);  // a damaged job can be removed, too
        table_.remove(job);
    }
    announce();
}

void LocalJobQueue::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void LocalJobQueue::release() {
    {
        const std::lock_guard lock(mutex_);
        held_ = false;
        for (QueuedJob& queued : table_.entries()) queued.may_start = true;
    }
    wake_worker();
}

void LocalJobQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (QueuedJob& queued : table_.entries()) {
        if (queued.file.job.state != JobState::running) continue;
        if (table_.is_on_disk()) queued.flags.pause.request();
        queued.flags.stop.request();
    }
}

void LocalJobQueue::wake_worker() {
    setup_.worker.post_search([this] { run_waiting_jobs(); });
}

void LocalJobQueue::run_waiting_jobs() {
    while (const auto job = start_next()) {
        announce();
        const RunEvent end = run(*job);
        record_end(job->id, end);
        setup_.observer.on_event(job->id, end);
        announce();
    }
    pause_waiting_jobs();
}

void LocalJobQueue::pause_waiting_jobs() {
    while (const auto job = pause_next()) {
        setup_.observer.on_event(
            *job, LogLine{LogLineLevel::error,
                          "the job is paused: the GPU stopped working in this process; restart Kinescope and "
                          "continue the job"});
        setup_.observer.on_event(*job, RunPaused{.step = find(*job).value_or(Job()).step});
        announce();
    }
}

std::optional<JobId> LocalJobQueue::pause_next() {
    const std::lock_guard lock(mutex_);
    while (has_lost_device_ && !held_ && !closed_) {
        QueuedJob* queued = table_.next();
        if (queued == nullptr) return std::nullopt;
        queued->may_start = false;
        try {
            table_.lock(*queued);
        } catch (const Error&) {
            continue;  // another process works on it
        }
        if (queued->file.job.state != JobState::waiting) continue;
        stop_idle(*queued, JobState::paused);
        return queued->file.job.id;
    }
    return std::nullopt;
}

std::optional<RunningJob> LocalJobQueue::start_next() {
    const std::lock_guard lock(mutex_);
    while (!held_ && !closed_ && !has_lost_device_) {
        QueuedJob* queued = table_.next();
        if (queued == nullptr) return std::nullopt;
        try {
            table_.lock(*queued);
        } catch (const Error&) {
            queued->may_start = false;  // another process works on it
            continue;
        }
        if (queued->file.job.state == JobState::waiting) return start(*queued);
    }
    return std::nullopt;
}

RunningJob LocalJobQueue::start(QueuedJob& queued) {
    JobFile& file = queued.file;
    const JobId id = file.job.id;
    RunningJob running{
        .id = id,
        .request = file.job.request,
        .flags = queued.flags,
        .mark = file.mark,
        .has_begun = file.has_begun,
        .folder = queued.folder ? queued.folder->path() : std::filesystem::path(),
        .unsaved = queued.unsaved,
        .finished_before = {},
        .on_resolved = [this, id](const VideoRequest& resolved) { record_resolved(id, resolved); },
        .on_begin = [this, id] { record_begin(id); },
        .on_video_written = [this, id](const std::filesystem::path& temporary,
                                       const RunResult& result) { record_video(id, temporary, result); },
        .on_tensors_written = [this, id](const std::filesystem::path& temporary) { record_tensors(id, temporary); },
        .inputs = file.inputs};
    if (has_final_video(file)) running.finished_before = result_of_finished_video(file);
    if (file.pid != 0 && !running.finished_before) remove_leftovers(file);
    file.job.state = JobState::running;
    file.pid = this_process();
    if (queued.folder && !queued.unsaved->has_checkpoint()) queued.save_error.reset();
    if (!running.finished_before) file.video.reset();
    table_.save(queued);
    return running;
}

/// Runs a job and returns its last event. This is the job boundary, the only place that catches all exceptions.
RunEvent LocalJobQueue::run(const RunningJob& job) {
    const Worker::Computing computing(setup_.worker);
    int steps_done = 0;
    const EventSink emit = [&](const RunEvent& event) {
        if (const auto* step = std::get_if<StepCompleted>(&event)) {
            steps_done = step->step + 1;
            record_step(job.id, *step);
        }
        setup_.observer.on_event(job.id, event);
    };
    try {
        if (job.finished_before) return RunFinished{*job.finished_before};
        stop_if_requested(job);
        return RunFinished{make_unless_stopped(job, emit)};
    } catch (const Paused& paused) {
        record_save_error(job.id, paused.save_error);
        return RunPaused{paused.step, paused.memory_bytes};
    } catch (const Cancelled&) {
        return RunCancelled{steps_done, {}};
    } catch (const StoppedWhileDecoding& stopped) {
        return RunCancelled{steps_done, stopped.output};
    } catch (...) {
        return RunFailed{translate_error(std::current_exception())};
    }
}

/// A job that is cancelled would lose its steps.
void LocalJobQueue::stop_outside_run(const RunningJob& job) {
    if (job.flags.wants_pause()) throw Paused{.step = steps_to_continue_after(job)};
    throw Cancelled{};
}

void LocalJobQueue::stop_if_requested(const RunningJob& job) {
    if (job.flags.stop.is_requested()) stop_outside_run(job);
}

RunResult LocalJobQueue::make_unless_stopped(const RunningJob& job, const EventSink& emit) {
    try {
        return setup_.make_video(job, emit);
    } catch (const Cancelled&) {
        stop_outside_run(job);
    } catch (const Error& error) {
        if (is_of_killed_reader(error)) stop_if_requested(job);
        throw;
    }
}

/// The run may have resolved the request since it began, so the number of steps is known only now.
int LocalJobQueue::steps_to_continue_after(const RunningJob& running) {
    const Job job = find(running.id).value_or(Job());
    try {
        return kept_steps(running.folder, *running.unsaved, job.request);
    } catch (const Error& error) {
        warn_of_uncounted_steps(job, error);
        return job.step;
    }
}

void LocalJobQueue::record_resolved(JobId job, const VideoRequest& resolved) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    queued->file.job.request = resolved;
    queued->file.job.num_steps = steps_to_run(resolved);
    table_.save(*queued);
}

void LocalJobQueue::record_begin(JobId job) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    queued->file.has_begun = true;
    table_.save(*queued);
}

void LocalJobQueue::record_step(JobId job, const StepCompleted& step) {
    const std::lock_guard lock(mutex_);
    Job& running = table_.find(job)->file.job;
    running.step = step.step + 1;
    running.num_steps = step.num_steps;
}

void LocalJobQueue::record_video(JobId job, const std::filesystem::path& temporary, const RunResult& result) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    queued->file.video = {.number = file_number(temporary).value_or(FileNumber()), .result = result};
    table_.save(*queued);
}

void LocalJobQueue::record_tensors(JobId job, const std::filesystem::path& temporary) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    const auto number = file_number(temporary);
    if (!queued->file.video || !number) return;
    queued->file.video->tensors.push_back(*number);
    table_.save(*queued);
}

void LocalJobQueue::record_save_error(JobId job, const std::optional<Error>& error) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    if (!queued->has_folder) return;
    if (error || !queued->unsaved->has_checkpoint()) queued->save_error = error;
}

void LocalJobQueue::record_end(JobId job, const RunEvent& end) {
    const std::lock_guard lock(mutex_);
    QueuedJob* queued = table_.find(job);
    Job& ended = queued->file.job;
    kinescope::record_end(end, ended);
    if (is_of_lost_device(end)) has_lost_device_ = true;
    if (ended.state == JobState::failed) record_kept_steps(*queued);
    note_what_is_unsaved(*queued);
    if (queued->remove_at_end) {
        table_.save(*queued);  // it no longer runs, and has removed its temporary files itself
        table_.remove(job);
    } else if (is_over(ended.state)) {
        table_.finish(*queued);
    } else {
        table_.save(*queued);
    }
}

/// Sends the changed queue to the observer. No lock is held during the call, because the observer may call the queue.
void LocalJobQueue::announce() {
    if (setup_.queue_events == QueueEvents::not_sent) return;
    announcing_.run([this] { setup_.observer.on_event(0, QueueChanged{list()}); });
}

}  // namespace kinescope
