#pragma once

#include <optional>

#include "core/jobs/queue/job_run_control.h"
#include "core/media/content_stamp.h"

namespace kinescope {

/// Returns true if a job has a checkpoint, perhaps one before the first step.
bool has_checkpoint(const RunningJob& job);

/// Returns the stamp of the video that a run continues, as it was before its first step, and keeps it for later
/// processes: the run reads the last frames of the video before the first step and all of them when it writes the
/// result, perhaps days later. Returns nullopt if the run continues no video, or that of an earlier part. Throws
/// Error(file_not_found or file_changed) if there is a checkpoint and the video is missing or has other contents now.
/// Throws Cancelled if the job is stopped meanwhile.
std::optional<ContentStamp> keep_continued_stamp(const RunningJob& job);

}  // namespace kinescope
