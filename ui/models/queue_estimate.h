#pragma once

#include <optional>
#include <vector>

#include "core/api/job.h"

namespace kinescope::ui {

/// The state and time of a job in the queue. Lists of these are in the order in which the jobs run.
struct QueuedTime {
    JobState state = JobState::waiting;
    std::optional<double> seconds;  ///< time of the job; of a running job, the remaining time; nullopt: unknown
};

/// Returns the seconds until each waiting job starts, if as many jobs run at the same time as now. The result is
/// nullopt for other jobs, and for jobs behind a job whose time is unknown.
std::vector<std::optional<double>> secondsToStart(const std::vector<QueuedTime>& jobs);

/// Returns a key that is equal for requests that take the same time because they differ only in prompt, seed and
/// output.
std::string costKey(VideoRequest request);

}  // namespace kinescope::ui
