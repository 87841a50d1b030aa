#pragma once

#include <functional>

#include "core/jobs/queue/job_run_control.h"

namespace kinescope {

/// Makes one part of a long video. Throws the errors of run_video().
using MakePart = std::function<RunResult(const RunningJob& part, const EventSink& emit)>;

/// Opens the output of a part and removes it again. Throws the errors of open_output().
using CheckOutput = std::function<void(const RunningJob& part)>;

/// Makes a long video, see VideoRequest::next_prompts: one part after the other, each of which continues the video of
/// the part before it. Skips the parts that are in the job's folder. A job without a folder keeps them in a temporary
/// one as long as the process lives. Checks the output of the last part before the first missing one. Throws
/// Error(bad_request) if the output would replace a source, Error(output_exists), Error(file_unreadable) for a part
/// that is damaged or lacks frames, and the errors of `make` and `check`. The next call makes a damaged part again.
RunResult make_parts(const RunningJob& job, const EventSink& emit, const MakePart& make, const CheckOutput& check);

}  // namespace kinescope
