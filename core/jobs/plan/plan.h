#pragma once

#include "core/api/engine.h"
#include "core/base/memory_limits.h"
#include "core/jobs/plan/timings.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Predicts the memory of each phase (weights, activations, and tensors that stay in memory) and the time of a prepared
/// job. Reads only file headers.
Plan make_plan(const PreparedRun& job, const Timings& timings);

/// Returns what determines the time of one of the job's parts. The result refers to `request`.
TimedRequest timed_request(const PreparedRun& job, const ResolvedRequest& request);

/// Maximum number of files that a run has open at the same time, with a margin: 9 were measured. Weight files are
/// mapped, not kept open.
constexpr std::int64_t kOpenFilesOfRun = 16;

/// Returns one sentence for each limit of the process, other than memory, that the run may exceed.
std::vector<std::string> limit_notes(const PreparedRun& job, const ProcessLimits& limits);

}  // namespace kinescope
