#pragma once

#include <array>
#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope::stepvideo {

/// Turns of each token of a grid, by the halves of a head's channels.
struct RotaryTable {
    Tensor cos;  ///< float32 [L, 1, head_dim / 2]: frame's, row's, column's angles side by side
    Tensor sin;
    std::array<std::int64_t, 3> split{};  ///< channels of frame, row, column
};

/// `grid`: frames, rows, columns, frames outermost. The angles are rounded to `rounding` before their cosines are
/// taken: the model was trained with bfloat16 angles, which differ from the exact ones by 0.1 at position 61, so the
/// compute dtype is the right choice.
RotaryTable rotary_table(const std::array<std::int64_t, 3>& grid, const std::array<std::int64_t, 3>& split,
                         Dtype rounding);

/// Turns channel j of each part with channel j + half of it. `x` [B, L, H, D] of any dtype; float32 out. The channels
/// come out in another order, the same for every token: for queries and keys, whose products alone count.
Tensor apply_rotary(const Tensor& x, const RotaryTable& table);

}  // namespace kinescope::stepvideo
