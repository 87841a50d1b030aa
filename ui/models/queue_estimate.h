#pragma once

#include <optional>
#include <vector>

#include "core/api/job.h"

namespace kinescope::ui {

/// What is known about a job of the queue, in the order in which jobs run.
struct QueuedTime {
    JobState state = JobState::waiting;
    std::optional<double> seconds;  ///< that the job will take, of a running job: that are left; nullopt: unknown
};

/// The seconds until each waiting job starts. nullopt: it does not wait, or the time of a job before it is unknown.
std::vector<std::optional<double>> secondsToStart(const std::vector<QueuedTime>& jobs);

/// Requests with the same key take the same time: they differ only in prompt, seed and output.
std::string costKey(VideoRequest request);

}  // namespace kinescope::ui
