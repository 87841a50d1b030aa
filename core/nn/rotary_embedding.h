#pragma once

#include <array>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Number of positions along (frames, height, width) of a token grid.
using TokenGrid = std::array<std::int64_t, 3>;

/// Returns the rotation of each token of a grid, frames outermost: complex64 [F * H * W, head_dim / 2]. Height and
/// width have 2 * floor(head_dim / 6) channels each, time has the rest; each axis has its own denominator. Computes the
/// angles in float64.
Tensor rotary_table_3d(const TokenGrid& grid, std::int64_t head_dim);

/// Rotates each pair of adjacent channels of `x` [B, L, H, D], of any dtype, by `table` from rotary_table_3d. Computes
/// in float32 and returns float32.
Tensor apply_rotary(const Tensor& x, const Tensor& table);

}  // namespace kinescope
