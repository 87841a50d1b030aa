#pragma once

#include "core/api/frame.h"
#include "core/device/tensor.h"

namespace kinescope {

/// A frame as float32 [1, H, W, 3], 0..1, on the CPU.
Tensor picture_of(const Frame& frame);

/// Rounds a picture [1, H, W, 3], 0..1, to 8 bits.
FramePtr frame_of(const Tensor& picture);

}  // namespace kinescope
