#pragma once

#include <array>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Number of positions along (frames, height, width) of a token grid.
using TokenGrid = std::array<std::int64_t, 3>;

/// Rotates each pair of adjacent channels of `x` [B, L, H, D], of any dtype, by its number in `table`, complex64
/// [L, D / 2]. Computes in float32 and returns float32.
Tensor apply_rotary(const Tensor& x, const Tensor& table);

}  // namespace kinescope
