#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace kinescope {

/// One picture, 8-bit sRGB, rows from the top, no padding: pixels.size() == 3 * width * height.
struct Frame {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
};

/// Frames travel between threads shared and unchanged.
using FramePtr = std::shared_ptr<const Frame>;

/// Which frames of a video, and how large.
struct FrameSelection {
    int max_frames = 0;    ///< 0: all; else so many, evenly spread, the first and the last among them
    int max_width_px = 0;  ///< 0: as they are; wider ones are made smaller, keeping their shape
};

}  // namespace kinescope
