#pragma once

#include "core/api/engine.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Runs a job `repeats` times without writing anything and times its phases and steps; each time also without guard,
/// and without monitor and guard, for what they cost. A last run tells what kinds of work the phases consist of.
std::vector<BenchRow> bench_job(const VideoJob& job, int repeats);

}  // namespace kinescope
