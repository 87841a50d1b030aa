#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace kinescope {

/// An image, 8-bit sRGB, top row first, without padding: pixels.size() == 3 * width * height.
struct Frame {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
};

/// A frame that several threads can share because it is immutable.
using FramePtr = std::shared_ptr<const Frame>;

/// The frames of a video to read, and their size.
struct FrameSelection {
    int max_frames = 0;    ///< 0: all; otherwise evenly spaced, including the first and the last
    int max_width_px = 0;  ///< 0: original size; wider frames are scaled down with their aspect ratio
};

}  // namespace kinescope
