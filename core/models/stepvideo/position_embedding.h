#pragma once

#include <array>

#include "core/nn/rotary_embedding.h"

namespace kinescope::stepvideo {

/// The rotation of each token of a grid: one angle for each pair of head channels.
struct RotaryTable {
    Tensor cos;  ///< float32 [L, 1, head_dim / 2], for frame, row and column
    Tensor sin;
    std::array<std::int64_t, 3> split{};  ///< channels for frame, row, column
};

/// Returns the rotations for a `grid` of (frames, rows, columns), frames outermost. Rounds the angles to `rounding`
/// before taking cosines. The model was trained with bfloat16 angles, which differ from exact ones by 0.1 at position
/// 61, so `rounding` must be the compute dtype.
RotaryTable rotary_table(const TokenGrid& grid, const std::array<std::int64_t, 3>& split, Dtype rounding);

/// Rotates channel j of each part together with channel j + half. `x` is [B, L, H, D] of any dtype; the result is
/// float32. The result has another order of channels, which does not affect products of queries and keys.
Tensor apply_rotary(const Tensor& x, const RotaryTable& table);

}  // namespace kinescope::stepvideo
