#pragma once

#include <optional>

#include "core/base/file_contents.h"
#include "core/jobs/queue/job_run_control.h"

namespace kinescope {

/// Returns the contents of the video that a run continues, as they were before its first step, and keeps them for later
/// processes: the run reads the last frames of the video before the first step and all of them when it writes the
/// result, perhaps days later. Returns nullopt if the run continues no video, or that of an earlier part. Throws
/// Error(file_not_found or file_changed) if there is a checkpoint and the video is missing or has other contents now.
std::optional<FileContents> keep_continued_contents(const RunningJob& job);

}  // namespace kinescope
