#pragma once

#include <filesystem>

#include "core/api/video_request.h"
#include "core/jobs/queue/unsaved_job.h"

namespace kinescope {

/// Returns the number of finished steps of a part that this process can continue: those on disk or those in memory,
/// whichever are more. `folder` contains the checkpoint of the part; empty: the job is not saved on disk.
int kept_step(const std::filesystem::path& folder, const UnsavedJob& unsaved, int part);
/// Returns the number of these steps over all parts of a job. `job` is its folder; `request` is resolved.
int kept_steps(const std::filesystem::path& job, const UnsavedJob& unsaved, const VideoRequest& request);

}  // namespace kinescope
