#pragma once

#include "core/api/model_card.h"
#include "core/models/model_family.h"

namespace kinescope {

/// The first `num_frames` frames of a video in this size, uint8 [F, H, W, 3]: Pillow's Lanczos filter on 8-bit pixels.
/// Only one frame in the original size is in memory.
Tensor resized_frames(const ReadFrames& read, int num_frames, Size size);

/// 8-bit values -> float32 in -1..1.
Tensor signed_pixels(const Tensor& bytes);

/// [F, H, W, C] -> [1, C, F, H, W], as references store videos.
Tensor as_video(const Tensor& frames);

}  // namespace kinescope
