#pragma once

#include <cstdint>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Standard normal noise in float32 from a CPU generator: a seed gives the same noise on every device, and the noise
/// that torch.Generator("cpu").manual_seed(seed) gives.
Tensor seeded_noise(std::int64_t seed, const std::vector<std::int64_t>& shape);

}  // namespace kinescope
