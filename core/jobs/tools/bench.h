#pragma once

#include "core/api/engine.h"
#include "core/base/cancellation.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Runs a job `repeats` times without writing files and times its phases and steps. To measure the cost of the guard
/// and the monitor, each repeat includes a run with the guard off, and one with both off. A final profiled run splits
/// the phases by op type. Throws Cancelled.
std::vector<BenchRow> bench_job(const PreparedRun& job, int repeats, const CancellationToken& stop);

}  // namespace kinescope
