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

/// Never given twice below one jobs folder; 0 is no job.
using JobId = std::int64_t;

enum class JobState {
    waiting,  ///< its turn comes
    running,
    paused,       ///< stopped by the user after a step; proceed() goes on
    interrupted,  ///< the program that ran it is gone; proceed() goes on
    finished,
    failed,     ///< retry() begins anew
    cancelled,  ///< retry() begins anew
};

/// "waiting", "running" ..., as in job files and in JSON.
std::string_view to_string(JobState state);
/// The inverse; nullopt for a word that is none.
std::optional<JobState> job_state_from(std::string_view name);

/// Whether a job's work is over, well or not.
bool is_over(JobState state);
/// Whether proceed() goes on with it.
bool can_proceed(JobState state);

/// One job of the queue as it lies on disk.
struct JobRecord {
    JobId id = 0;
    VideoRequest request;  ///< as submitted; resolved, the seed too, once it ran
    JobState state = JobState::waiting;
    int step = 0;                  ///< steps that are done and kept
    int num_steps = 0;             ///< 0: not known before it ran
    std::string created;           ///< UTC, "2026-11-21T10:00:00Z"
    std::optional<Error> error;    ///< of a failed job
    std::filesystem::path output;  ///< of a finished job, and what a cancelled one left
};

}  // namespace kinescope
