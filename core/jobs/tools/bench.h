#pragma once

#include "core/api/engine.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Runs a job `repeats` times without writing files and times its phases and steps. Each repeat also runs with the
/// guard off, and with monitor and guard off, to measure their cost. A final profiled run splits the phases by op type.
std::vector<BenchRow> bench_job(const PreparedRun& job, int repeats);

}  // namespace kinescope
