#pragma once

#include <optional>
#include <vector>

#include "core/api/job.h"
#include "core/api/video_request.h"

namespace kinescope {

/// The point at which a running job stops when it is paused.
enum class PausePoint {
    after_step,  ///< after the current step; while frames are decoded, after the current chunk
    at_once      ///< within one transformer block; the unfinished step is dropped
};

/// What is done with the steps that a job has not finished.
enum class RemainingSteps {
    computed,
    skipped  ///< the last saved step is decoded
};

/// The queue of jobs, which run one after the other. Arguments and results are plain values, so that a proxy in another
/// process could implement the interface. Every method may be called from any thread and returns immediately.
///
/// Each change is saved to disk before the call returns and is reported by QueueChanged. Jobs left by an earlier
/// process are listed, but start only after resume, retry or release. Calls for an unknown job, or for one in an
/// unsuitable state, have no effect unless the method is documented to throw. Methods throw Error(unsupported) for a
/// job that another process is running.
class JobQueue {
public:
    virtual ~JobQueue() = default;

    /// Appends a request. Invalid requests are reported later by RunFailed. If the job cannot be saved on disk, it
    /// still runs, and a warning is logged.
    virtual JobId submit(VideoRequest request) = 0;
    /// Returns all jobs in the order in which they run. Finished jobs stay in the list until remove().
    virtual std::vector<Job> list() = 0;
    /// Returns a job, or nullopt if the queue does not contain it.
    virtual std::optional<Job> find(JobId job) = 0;

    /// Ends a job without saving its state: a running job within one transformer block, a waiting or paused job
    /// immediately. The job's last event is RunCancelled.
    virtual void cancel(JobId job) = 0;
    /// Saves the state of a running job and frees its memory, or keeps a waiting job from starting. The job's last
    /// event is RunPaused.
    virtual void pause(JobId job, PausePoint point) = 0;
    /// Continues a paused, interrupted or failed job after its last saved step. The result is bit-identical to that of
    /// an uninterrupted run.
    virtual void resume(JobId job) = 0;
    /// Decodes the last saved step of a paused, interrupted or failed job, skipping the remaining steps. Throws
    /// Error(bad_request) if no step is finished.
    virtual void decode_now(JobId job) = 0;
    /// Starts a job as resume() or decode_now() would, after the jobs started before. In a queue with
    /// JobStart::by_order, no job starts otherwise, and the job may be one that another engine has added to the jobs
    /// folder. Throws Error(unsupported) for a job that is not there or that another engine is running, and
    /// Error(bad_request) for one that is running or over.
    virtual void start(JobId job, RemainingSteps steps) = 0;
    /// Unlocks a job that does not run, so that another engine with the same jobs folder can start it. It stays in this
    /// list as it is. Throws Error(bad_request) for a running job, Error(unsupported) for one that is not on disk.
    virtual void hand_over(JobId job) = 0;
    /// Deletes the saved steps of a job that is neither running nor finished, and queues it again. Throws
    /// Error(bad_request) for any other job.
    virtual void retry(JobId job) = 0;

    /// Moves a job to an index of list(). An index beyond the end moves it to the end.
    virtual void move(JobId job, int position) = 0;
    /// Replaces the request of a waiting job. A request that differs only in its finish steps also replaces that of a
    /// paused, interrupted or failed job of this computer, which keeps its saved steps. Throws Error(bad_request) for
    /// any other job.
    virtual void edit(JobId job, VideoRequest request) = 0;
    /// Deletes a job. A running job is cancelled first.
    virtual void remove(JobId job) = 0;

    /// Prevents waiting jobs from starting until release(). A running job continues.
    virtual void hold() = 0;
    /// Ends hold() and lets all waiting jobs start, including those of an earlier process.
    virtual void release() = 0;
};

/// Removes the finish steps of a job's request and resumes the job. Throws as JobQueue::edit does.
void resume_without_finish(JobQueue& queue, JobId job);

}  // namespace kinescope
