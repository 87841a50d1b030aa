#pragma once

#include "core/api/engine.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Runs a job `repeats` times without writing anything and times its phases and steps.
std::vector<BenchRow> bench_job(const VideoJob& job, int repeats);

}  // namespace kinescope
