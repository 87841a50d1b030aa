#pragma once

#include <vector>

#include "core/api/frame.h"

namespace kinescope {

/// The displacement of a pixel, in px.
struct Motion {
    float x = 0;
    float y = 0;
};

/// Returns the motion of each pixel between two frames of equal size, row by row: TV-L1 optical flow (Zach, Pock,
/// Bischof: "A Duality Based Approach for Realtime TV-L1 Optical Flow", 2007), which keeps the edges of moving things.
/// OpenCV's own methods are in modules that cannot be linked, see OpenCVModules.cmake.
std::vector<Motion> optical_flow(const Frame& from, const Frame& to);

}  // namespace kinescope
