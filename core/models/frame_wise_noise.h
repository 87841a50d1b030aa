#pragma once

#include <vector>

#include "core/device/rng.h"

namespace kinescope {

/// Returns noise of shape [B, C, F, H, W], drawn in the order [B, F, C, H, W]. The reference pipelines of CogVideoX,
/// SVD and Step-Video use this order, so a seed gives the same noise as theirs.
Tensor frame_wise_noise(NoiseSource& noise, std::vector<std::int64_t> shape);

}  // namespace kinescope
