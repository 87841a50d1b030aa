#pragma once

#include <string>
#include <vector>

#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Returns one sentence for each requested option or prompt that has no effect in this job, or that does not save the
/// time or memory that it promises. Pure.
std::vector<std::string> ineffective_options(const PreparedRun& job);

}  // namespace kinescope
