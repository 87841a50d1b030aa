#pragma once

#include <functional>

#include "core/jobs/queue/job_run_control.h"

namespace kinescope {

/// Makes one part of a long video. Throws the errors of run_video().
using MakePart = std::function<RunResult(const RunningJob& part, const EventSink& emit)>;

/// Makes a long video, see VideoRequest::next_prompts: one part after the other, each of which continues the video of
/// the part before it. Skips the parts that are in the job's folder. A job without a folder keeps them in a temporary
/// one and starts over when it is resumed. Throws Error(output_exists) before the first part, and the errors of `make`.
RunResult make_parts(const RunningJob& job, const EventSink& emit, const MakePart& make);

}  // namespace kinescope
