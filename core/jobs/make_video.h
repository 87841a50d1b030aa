#pragma once

#include "core/jobs/engine_context.h"
#include "core/jobs/queue/job_run_control.h"

namespace kinescope {

/// Prepares and runs a job on the worker. Throws the errors of prepare_job() and run_video().
RunResult make_video(EngineContext& context, const RunningJob& job, const EventSink& emit);

}  // namespace kinescope
