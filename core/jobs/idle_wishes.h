#pragma once

#include <string>
#include <vector>

#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// What a prepared job was asked for to save time or memory, and what will save none: one sentence each. Pure.
std::vector<std::string> idle_wishes(const VideoJob& job);

}  // namespace kinescope
