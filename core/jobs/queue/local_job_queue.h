#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "core/api/engine.h"
#include "core/api/run_event.h"
#include "core/base/coalesced_task.h"
#include "core/jobs/queue/job_table.h"
#include "core/jobs/queue/worker.h"

namespace kinescope {

/// Generates the video of a job. Throws the errors of make_video().
using MakeVideo = std::function<RunResult(const RunningJob& job, const EventSink& emit)>;

/// The queue of this process: runs jobs on the worker, one after the other, and reports every change to the observer.
class LocalJobQueue final : public JobQueue {
public:
    struct Setup {
        Worker& worker;         ///< must outlive the queue's last job
        RunObserver& observer;  ///< must outlive the queue's last job
        MakeVideo make_video;
        std::filesystem::path jobs_dir;  ///< as in EngineOptions
        QueueEvents queue_events = QueueEvents::sent;
        JobStart job_start = JobStart::by_itself;
    };
    explicit LocalJobQueue(Setup setup);

    JobId submit(VideoRequest request) override;
    std::vector<Job> list() override;
    std::optional<Job> find(JobId job) override;
    void cancel(JobId job) override;
    void pause(JobId job, PausePoint point) override;
    void resume(JobId job) override;
    void decode_now(JobId job) override;
    void start(JobId job, RemainingSteps steps) override;
    void hand_over(JobId job) override;
    void retry(JobId job) override;
    void move(JobId job, int position) override;
    void edit(JobId job, VideoRequest request) override;
    void remove(JobId job) override;
    void hold() override;
    void release() override;

    /// Stops the running job; if the queue is saved on disk, the job is paused. No other job starts.
    void close();

private:
    /// Returns nullptr for an unknown job. A queue with JobStart::by_order also finds a job that another engine had
    /// locked when this queue was read. Throws Error(unsupported) if it is still locked.
    QueuedJob* find_job(JobId job);
    void queue_again(JobId job, RemainingSteps steps);
    /// Makes a job that can be queued again wait.
    void make_waiting(QueuedJob& queued, RemainingSteps steps);
    /// Changes the request of a job whose lock is held. Throws Error(bad_request) if it cannot be changed.
    void change(QueuedJob& queued, VideoRequest request, InputStamps inputs);
    bool starts_by_itself() const { return setup_.job_start == JobStart::by_itself; }
    /// Records in a paused job why it, or its last steps, are not on disk.
    void note_what_is_unsaved(QueuedJob& queued) const;
    /// Changes the state of a job that is not running. Returns its number of finished steps.
    int stop_idle(QueuedJob& queued, JobState state);
    void wake_worker();
    void run_waiting_jobs();
    /// Pauses the waiting jobs after the device was lost, because none of them can run in this process.
    void pause_waiting_jobs();
    std::optional<JobId> pause_next();
    std::optional<RunningJob> start_next();
    RunningJob start(QueuedJob& queued);
    RunEvent run(const RunningJob& job);
    /// Makes the video. Who stops the program may kill the process that reads a file, too: that is not a failure.
    RunResult make_unless_stopped(const RunningJob& job, const EventSink& emit);
    /// Throws Paused or Cancelled. A shutdown pauses a job that is about to start.
    void stop_if_requested(const RunningJob& job);
    /// Ends a job outside of its run: throws Paused or Cancelled.
    [[noreturn]] void stop_outside_run(const RunningJob& job);
    /// Returns the number of steps after which a job continues that is paused outside of its run.
    int steps_to_continue_after(const RunningJob& running);
    void record_resolved(JobId job, const VideoRequest& resolved);
    void record_begin(JobId job);
    void record_step(JobId job, const StepCompleted& step);
    void record_video(JobId job, const std::filesystem::path& temporary, const RunResult& result);
    void record_tensors(JobId job, const std::filesystem::path& temporary);
    /// `error`: why a paused run could not save its last steps; nullopt: it had nothing to save, or has saved it.
    void record_save_error(JobId job, const std::optional<Error>& error);
    void record_end(JobId job, const RunEvent& end);
    void announce();

    const Setup setup_;
    std::mutex mutex_;
    JobTable table_;
    bool held_ = false;
    bool closed_ = false;
    bool has_lost_device_ = false;  ///< no further job starts
    CoalescedTask announcing_;
};

}  // namespace kinescope
