#pragma once

#include "core/api/engine.h"
#include "core/base/memory_limits.h"
#include "core/jobs/timings.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// What a prepared job will need, from the headers of its files: memory by phase (weights as they are kept or streamed,
/// activations, what stays), the largest phase, the learned times. Loads no weights.
Plan make_plan(const VideoJob& job, const Timings& timings);

/// Open files of a run at its peak, with room to spare: 9 were measured. Weights stay mapped, not open.
constexpr std::int64_t kOpenFilesOfRun = 16;

/// One sentence for each process limit other than those on memory that a resolved request may exceed.
std::vector<std::string> limit_notes(const VideoRequest& request, const ProcessLimits& limits);

}  // namespace kinescope
