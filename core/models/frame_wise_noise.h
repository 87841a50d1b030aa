#pragma once

#include <vector>

#include "core/device/rng.h"

namespace kinescope {

/// Noise of the shape [B, C, F, H, W] as pipelines draw it that lay frames before channels (CogVideoX, SVD,
/// Step-Video): drawn as [B, F, C, H, W], so that a seed gives their noise.
Tensor frame_wise_noise(NoiseSource& noise, std::vector<std::int64_t> shape);

}  // namespace kinescope
