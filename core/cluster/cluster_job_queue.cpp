#include "core/cluster/cluster_job_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/api/slurm_reason.h"
#include "core/api/video_request_json.h"
#include "core/base/draw_seed.h"
#include "core/base/log_line.h"
#include "core/base/utc_time.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAllBatches = "kinescope-";
constexpr double kSecondsToEnd = 60;  // of an older engine with the same jobs

auto find_in(ClusterJobs& jobs, JobId job) {
    return std::ranges::find(jobs.jobs, job, [](const ClusterJob& one) { return one.job.id; });
}

bool is_active(const ClusterJob& job) {
    return job.job.state == JobState::waiting || job.job.state == JobState::running;
}

/// Whether the task is to run, at once or again.
bool is_wanted(Wish wish) {
    return wish == Wish::run || wish == Wish::resume || wish == Wish::decode;
}

/// Whether the batch of the job is to be deleted.
bool is_unwanted(Wish wish) {
    return wish == Wish::again || wish == Wish::remove;
}

/// Does a part of the work for one job and returns its error, which must not delay the other jobs.
std::optional<Error> error_of(const std::function<void()>& work, const ClusterJob& job) {
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const fs::filesystem_error& error) {
        return storage_lost(job.folder, error.code().message());
    } catch (const std::exception& error) {
        return Error(ErrorCode::internal, error.what());
    }
}

/// Returns true if the same work may succeed later: the controller or the storage did not answer, or an old batch could
/// not be deleted.
bool may_pass(const Error& error, const ClusterJob& job) {
    if (error.code() == ErrorCode::engine_lost) return true;
    const bool is_of_storage = error.code() == ErrorCode::file_not_found || error.code() == ErrorCode::file_unreadable;
    return !job.folder.empty() && (is_of_storage || is_unwanted(job.wish));
}

bool is_readable(const fs::path& batch) {
    try {
        const BatchFolder folder(batch);
        static_cast<void>(folder.submissions());
        return folder.tasks().size() == 1;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

ClusterJobQueue::ClusterJobQueue(Setup setup)
    : setup_(std::move(setup)),
      only_one_runs_(fs::path(setup_.jobs_file) += ".lock", kSecondsToEnd),
      jobs_(read_cluster_jobs(setup_.jobs_file)) {
    if (std::ranges::none_of(jobs_.jobs, is_open)) check_options();
    thread_ = std::thread([this] { run(); });
}

ClusterJobQueue::~ClusterJobQueue() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

/// A controller that does not answer now may answer later.
void ClusterJobQueue::check_options() {
    try {
        check_submission(setup_.run, setup_.options, setup_.shared_dir);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::engine_lost) throw;
        log_warning(error.message());
    }
}

void ClusterJobQueue::change(const std::function<void(ClusterJobs&)>& edit) {
    {
        const std::lock_guard lock(mutex_);
        edit(jobs_);
        try {
            save_cluster_jobs(setup_.jobs_file, jobs_);
        } catch (const Error& error) {  // as in the local queue: the job still runs
            log_warning(error.message());
        }
    }
    announcing_.run([this] { setup_.observer.on_event(0, QueueChanged{list()}); });
}

void ClusterJobQueue::wake() {
    const std::lock_guard lock(mutex_);
    has_work_ = true;
    changed_.notify_all();
}

void ClusterJobQueue::change_job(JobId job, const std::function<void(ClusterJob&)>& edit) {
    change([&](ClusterJobs& jobs) {
        if (const auto found = find_in(jobs, job); found != jobs.jobs.end()) edit(*found);
    });
}

void ClusterJobQueue::order(JobId job, const std::function<void(ClusterJob&)>& edit) {
    change_job(job, edit);
    wake();
}

JobId ClusterJobQueue::submit(VideoRequest request) {
    if (!request.seed) request.seed = draw_seed();
    JobId id = 0;
    change([&](ClusterJobs& jobs) {
        id = ++jobs.last_id;
        Job job;
        job.id = id;
        job.request = std::move(request);
        job.created = utc_now();
        jobs.jobs.push_back({.job = std::move(job)});
    });
    wake();
    return id;
}

std::vector<Job> ClusterJobQueue::list() {
    const std::lock_guard lock(mutex_);
    std::vector<Job> listed;
    for (const ClusterJob& job : jobs_.jobs)
        if (job.wish != Wish::remove) listed.push_back(job.job);
    return listed;
}

std::optional<Job> ClusterJobQueue::find(JobId job) {
    for (Job& listed : list())
        if (listed.id == job) return std::move(listed);
    return std::nullopt;
}

void ClusterJobQueue::cancel(JobId job) {
    order(job, [](ClusterJob& found) {
        if (!is_over(found.job.state)) found.wish = Wish::cancel;
    });
}

void ClusterJobQueue::pause(JobId job, PausePoint) {
    order(job, [](ClusterJob& found) {
        if (is_active(found)) found.wish = Wish::pause;
    });
}

void ClusterJobQueue::resume(JobId job) {
    submit_again(job, Wish::resume);
}

void ClusterJobQueue::decode_now(JobId job) {
    if (const auto found = find(job); found && found->step == 0)
        throw Error(ErrorCode::bad_request, "no step of the job is finished");
    submit_again(job, Wish::decode);
}

void ClusterJobQueue::submit_again(JobId job, Wish wish) {
    order(job, [wish](ClusterJob& found) {
        const bool is_being_paused = is_active(found) && found.wish == Wish::pause;
        if (!is_being_paused && !can_resume(found.job.state) && found.job.state != JobState::failed) return;
        found.wish = wish;
        found.job.state = JobState::waiting;
        found.job.waits_for.clear();
        found.job.error.reset();
    });
}

void ClusterJobQueue::start(JobId job, RemainingSteps steps) {
    submit_again(job, steps == RemainingSteps::skipped ? Wish::decode : Wish::resume);
}

void ClusterJobQueue::hand_over(JobId) {
    throw Error(ErrorCode::unsupported, "a job on a cluster cannot be handed over to another engine");
}

void ClusterJobQueue::retry(JobId job) {
    order(job, [](ClusterJob& found) {
        if (found.job.state == JobState::running || found.job.state == JobState::finished)
            throw Error(ErrorCode::bad_request, "the job is running or finished");
        found.wish = Wish::again;
        found.job.state = JobState::waiting;
        found.job.waits_for.clear();
        found.job.step = 0;
        found.job.error.reset();
    });
}

void ClusterJobQueue::move(JobId, int) {
    throw Error(ErrorCode::unsupported, "Slurm decides in which order the jobs of a cluster run",
                "scontrol top and scontrol update change the order of your pending jobs.");
}

void ClusterJobQueue::edit(JobId job, VideoRequest request) {
    order(job, [&request](ClusterJob& found) {
        if (found.job.state != JobState::waiting)
            throw Error(ErrorCode::bad_request, "the job cannot be changed: it is no longer waiting");
        if (!request.seed) request.seed = draw_seed();
        found.job.request = std::move(request);
        found.job.waits_for.clear();
        found.wish = Wish::again;
    });
}

void ClusterJobQueue::remove(JobId job) {
    order(job, [](ClusterJob& found) { found.wish = Wish::remove; });
}

void ClusterJobQueue::hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
}

void ClusterJobQueue::release() {
    {
        const std::lock_guard lock(mutex_);
        held_ = false;
    }
    wake();
}

void ClusterJobQueue::run() {
    while (wait()) {
        try {
            work();
        } catch (const std::exception& error) {
            log_warning(error.what());
        }
    }
}

/// Returns false if the queue ends.
bool ClusterJobQueue::wait() {
    std::unique_lock lock(mutex_);
    const auto must_go_on = [this] { return stops_ || std::exchange(has_work_, false); };
    if (std::ranges::any_of(jobs_.jobs, is_open))
        changed_.wait_for(lock, std::chrono::duration<double>(setup_.poll_seconds), must_go_on);
    else
        changed_.wait(lock, must_go_on);
    return !stops_;
}

void ClusterJobQueue::work() {
    std::vector<ClusterJob> open;
    {
        const std::lock_guard lock(mutex_);
        std::ranges::copy_if(jobs_.jobs, std::back_inserter(open), is_open);
    }
    // Slurm is asked first: if it says that a task has ended, then its files are final.
    std::optional<SqueueAnswer> answer;
    std::optional<Error> trouble;
    try {
        const auto full = full_storage(setup_.shared_dir);
        is_full_ = full.has_value();
        if (full) trouble = full;
        if (std::ranges::any_of(open, [](const ClusterJob& job) { return !job.folder.empty(); }))
            answer = ask_queue(setup_.run, kAllBatches);
    } catch (const Error& error) {
        trouble = error;
    }
    for (const ClusterJob& job : open) {
        {
            const std::lock_guard lock(mutex_);
            if (stops_) return;
        }
        const auto error = error_of([&] { handle(job, answer ? &*answer : nullptr); }, job);
        if (!error) continue;
        if (may_pass(*error, job))
            trouble = error;  // it is tried again
        else
            fail(job, *error);
    }
    tell_trouble(trouble);
}

void ClusterJobQueue::tell_trouble(const std::optional<Error>& trouble) {
    const std::string text = trouble ? trouble->message() : "";
    if (std::exchange(trouble_, text) != text && !text.empty()) log_warning(text + "; jobs on the cluster go on");
}

void ClusterJobQueue::handle(const ClusterJob& job, const SqueueAnswer* answer) {
    if (job.folder.empty()) return handle_unsubmitted(job);
    const bool needs_no_folder = is_unwanted(job.wish) || job.wish == Wish::cancel;
    if (needs_no_folder && !is_readable(job.folder)) return drop_batch(job, answer);
    Followed& followed = this->followed(job);
    ClusterBatch& batch = followed.batch;
    if (batch.folder().submissions().empty()) {  // an earlier process ended before it could submit the batch
        if (!is_wanted(job.wish)) return forget_batch(job);
        return submit_all(job, batch);
    }
    BatchView view = batch.poll(answer);
    const TaskState state = view.tasks.at(0).verdict.state;
    const bool has_ended = cluster::has_ended(state);
    // A task that is marked as cancelled counts as ended if Slurm shows no process of it, which a failed scancel does
    // not ensure.
    const bool may_run = !has_ended || state == TaskState::cancelled;
    if (!is_wanted(job.wish) && may_run && !followed.is_cancelled) {
        batch.cancel({1});
        followed.is_cancelled = true;
        return;
    }
    if (is_unwanted(job.wish)) {
        if (has_ended) forget_batch(job);
        return;
    }
    if (job.wish != Wish::resume && job.wish != Wish::decode) return follow_batch(job, followed, view);
    if (batch.folder().is_cancelled(1) && !has_ended) return;  // it is still being ended
    batch.folder().write_remaining_steps(job.wish == Wish::decode ? RemainingSteps::skipped : RemainingSteps::computed);
    batch.resume(view);
    followed.is_cancelled = false;
    change_job(job.job.id, [&job](ClusterJob& found) {
        if (found.wish == job.wish) found.wish = Wish::run;
    });
}

void ClusterJobQueue::handle_unsubmitted(const ClusterJob& job) {
    switch (job.wish) {
        case Wish::remove:
            return change([id = job.job.id](ClusterJobs& jobs) {
                std::erase_if(jobs.jobs, [id](const ClusterJob& one) { return one.job.id == id; });
            });
        case Wish::cancel:
            return end(job, RunCancelled{}, [](ClusterJob& found) { found.job.state = JobState::cancelled; });
        case Wish::pause:
            return end(job, RunPaused{}, [](ClusterJob& found) { found.job.state = JobState::paused; });
        default:
            return submit_batch(job);
    }
}

void ClusterJobQueue::submit_batch(const ClusterJob& job) {
    if (is_held()) return;
    if (job.job.request.output.file.empty()) throw Error(ErrorCode::bad_request, "the request names no output file");
    SlurmOptions options = setup_.options;
    options.memory_bytes = setup_.memory_for(job.job.request);
    const auto folder = BatchFolder::create(setup_.shared_dir, options, {make_task(job.job.request)});
    // Saved before the submission, so that the video is submitted once, even if this process is killed now.
    bool is_changed = false;
    change_job(job.job.id, [&](ClusterJob& found) {
        found.folder = folder.path();
        is_changed = found.wish != job.wish || to_json(found.job.request) != to_json(job.job.request);
        if (!is_changed) found.wish = Wish::run;
    });
    if (is_changed) return wake();  // the user has decided something else meanwhile
    ClusterJob submitted = job;
    submitted.folder = folder.path();
    submit_all(submitted, followed(submitted).batch);
}

bool ClusterJobQueue::is_held() {
    const std::lock_guard lock(mutex_);
    return held_;
}

void ClusterJobQueue::submit_all(const ClusterJob& job, ClusterBatch& batch) {
    if (is_held()) return;
    try {
        batch.submit_all();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::engine_lost) forget_batch(job);
        throw;
    }
}

ClusterJobQueue::Followed& ClusterJobQueue::followed(const ClusterJob& job) {
    const auto known = followed_.find(job.job.id);
    if (known != followed_.end() && known->second.batch.folder().path() == job.folder) return known->second;
    Followed& opened = followed_.insert_or_assign(job.job.id, Followed{{job.folder, setup_.run}}).first->second;
    opened.batch.take_control();
    return opened;
}

/// Ends what a batch without a readable folder has in Slurm, and forgets the batch.
void ClusterJobQueue::drop_batch(const ClusterJob& job, const SqueueAnswer* answer) {
    std::error_code error;
    if (!fs::is_directory(setup_.shared_dir, error)) throw storage_lost(setup_.shared_dir, error.message());
    if (answer == nullptr) return;
    const auto submitted = answer->jobs_with_prefix(job.folder.filename().string() + "-");
    if (!submitted.empty()) cancel_jobs(setup_.run, submitted);
    forget_batch(job);
    if (job.wish == Wish::cancel)
        end(job, RunCancelled{}, [](ClusterJob& found) { found.job.state = JobState::cancelled; });
}

/// Deletes the batch. A job that is to be made again is submitted in the next round.
void ClusterJobQueue::forget_batch(const ClusterJob& job) {
    followed_.erase(job.job.id);
    std::error_code ignored;
    fs::remove_all(job.folder, ignored);
    change_job(job.job.id, [](ClusterJob& found) {
        found.folder.clear();
        if (found.wish == Wish::again) found.job.state = JobState::waiting;
    });
    if (job.wish != Wish::run) wake();
}

void ClusterJobQueue::follow_batch(const ClusterJob& job, Followed& followed, BatchView& view) {
    const TaskFolder task = followed.batch.folder().task_folder(1);
    const TaskState before = view.tasks[0].verdict.state;
    const auto why = view.tasks[0].verdict.error;
    if (before == TaskState::stopped && why) log_warning(why->message());
    if (const auto attempts = task.attempts(); !attempts.empty()) {
        for (RunEvent& event : followed.events.read(task.attempt(attempts.back()))) {
            RunEvent own = with_own_paths(std::move(event), job.job.request);
            if (const auto* finished = std::get_if<RunFinished>(&own))
                followed.result = finished->result;
            else
                setup_.observer.on_event(job.job.id, own);
        }
    }
    if (followed.batch.take_control() == Control::taken) followed.batch.follow_up(view);
    if (before == TaskState::lost && why) log_warning(why->message() + "; the video is submitted again");
    ClusterJob now = job;
    const auto last_event = follow(now, view.tasks[0], followed.result);
    if (now.job.state == JobState::running && is_full_) now.job.waits_for = kStorageFullReason;
    if (!last_event && now == job) return;
    const bool is_finished = now.job.state == JobState::finished;
    bool is_updated = false;
    if (is_finished) show_frames(now.job);
    change_job(job.job.id, [&](ClusterJob& found) {
        is_updated = found.wish == job.wish || is_finished;
        if (!is_updated) return;  // the user has decided something else meanwhile
        if (found.wish != Wish::remove) found.wish = now.wish;
        now.job.request = found.job.request;
        found.job = now.job;
    });
    if (!last_event || !is_updated) return;
    setup_.observer.on_event(job.job.id, *last_event);
    if (is_finished || now.job.state == JobState::cancelled) forget_batch(job);
}

void ClusterJobQueue::show_frames(const Job& job) {
    if (!setup_.read_frames) return;
    try {
        std::vector<FramePtr> frames = setup_.read_frames(job.output);
        if (frames.empty()) return;
        PreviewReady preview{.kind = PreviewKind::decoded,
                             .step = job.num_steps,
                             .num_frames = static_cast<int>(frames.size()),
                             .final_size = {frames[0]->width, frames[0]->height}};
        preview.frames = std::move(frames);
        setup_.observer.on_event(job.id, preview);
    } catch (const Error& error) {
        log_warning(error.message());
    }
}

/// Ends the run of a job, unless the user has decided something else since the job was read.
void ClusterJobQueue::end(const ClusterJob& job, const RunEvent& last_event,
                          const std::function<void(ClusterJob&)>& edit) {
    bool has_ended = false;
    change_job(job.job.id, [&](ClusterJob& found) {
        const bool is_by_user = found.wish != job.wish && found.wish != Wish::run;  // only this thread sets run
        if (is_by_user) return;
        edit(found);
        if (found.wish != Wish::remove) found.wish = Wish::run;
        has_ended = true;
    });
    if (has_ended) setup_.observer.on_event(job.job.id, last_event);
}

void ClusterJobQueue::fail(const ClusterJob& job, const Error& error) {
    end(job, RunFailed{error}, [&](ClusterJob& found) {
        found.job.state = JobState::failed;
        found.job.error = error;
    });
}

}  // namespace kinescope::cluster
