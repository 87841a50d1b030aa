#pragma once

#include "core/api/engine.h"
#include "core/jobs/timings.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// What a prepared job will need, from the headers of its files: memory by phase (weights as they are kept or streamed,
/// activations, what stays), the largest phase, the learned times. Loads no weights.
Plan make_plan(const VideoJob& job, const Timings& timings);

}  // namespace kinescope
