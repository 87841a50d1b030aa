#pragma once

#include "core/api/frame.h"

namespace kinescope {

/// What lies between two consecutive frames.
enum class FrameStep { motion, none, scene_cut };

/// Compares two frames. A scene cut: the SSIM of their 32 x 32 thumbnails is below 0.2, as in Practical-RIFE, or their
/// sizes differ. None: all pixels are equal.
FrameStep step_between(const Frame& a, const Frame& b);

}  // namespace kinescope
