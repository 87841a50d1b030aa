#pragma once

#include <vector>

#include "core/device/rng.h"

namespace kinescope {

/// Noise of shape [B, C, F, H, W], drawn in the order [B, F, C, H, W]. The reference pipelines of CogVideoX, SVD and
/// Step-Video use this order, so the noise of a seed equals theirs.
Tensor frame_wise_noise(NoiseSource& noise, std::vector<std::int64_t> shape);

}  // namespace kinescope
