#pragma once

#include <string>
#include <vector>

#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Returns one sentence for each requested option that will not save time or memory in this job.
/// Has no side effects.
std::vector<std::string> ineffective_options(const PreparedRun& job);

}  // namespace kinescope
