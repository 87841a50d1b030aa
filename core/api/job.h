#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/api/video_request.h"

namespace kinescope {

/// Identifies a job. Unique within a jobs folder and never reused; 0 stands for no job.
using JobId = std::int64_t;

enum class JobState {
    waiting,
    running,
    paused,       ///< by the user; JobQueue::resume continues it
    interrupted,  ///< its process ended unexpectedly; JobQueue::resume continues it
    finished,
    failed,     ///< JobQueue::resume continues it, retry starts over
    cancelled,  ///< JobQueue::retry starts over
};

/// Returns the state's name in job files and in JSON: "waiting", "running" ...
std::string_view to_string(JobState state);
/// Converts a name to its state. Returns nullopt for an unknown name.
std::optional<JobState> job_state_from(std::string_view name);

/// Returns true for finished, failed and cancelled jobs.
bool is_over(JobState state);
/// Returns true for paused and interrupted jobs.
bool can_resume(JobState state);
/// Returns true for jobs that can be put into the queue again with their finished steps: those that wait, were paused
/// or interrupted, or have failed.
bool can_queue_again(JobState state);

/// One job of the queue.
struct Job {
    JobId id = 0;
    VideoRequest request;  ///< as submitted; resolved, including the seed, once the job has run
    JobState state = JobState::waiting;
    int step = 0;         ///< number of finished steps after which the job continues
    int num_steps = 0;    ///< 0: unknown, because the job has not run yet
    std::string created;  ///< UTC, "2026-11-21T10:00:00Z"
    /// Why the job failed, or why the last steps of a paused job are not on disk. The argument "saved_steps" is the
    /// number of steps that are on disk, if `step` is more; a paused job without it is not on disk itself, nor is a
    /// failed job with the argument "saved_job".
    std::optional<Error> error;
    std::string waits_for;         ///< why a job on a cluster waits or stands still, as Slurm names it: "Resources"
    std::filesystem::path output;  ///< video of a finished job, or the playable part that a cancelled job left
};

}  // namespace kinescope
