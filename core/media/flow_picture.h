#pragma once

#include "core/api/frame.h"

namespace kinescope {

/// Makes a picture of the motion between two frames of equal size, as usual for optical flow (Middlebury): the hue is
/// the direction (right red, down yellow, left cyan, up violet), the saturation the distance relative to the longest
/// one, and white stands still.
Frame flow_picture(const Frame& from, const Frame& to);

}  // namespace kinescope
