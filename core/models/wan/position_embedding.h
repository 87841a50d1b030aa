#pragma once

#include "core/nn/rotary_embedding.h"

namespace kinescope::wan {

/// Returns the rotation of each token of a grid, frames outermost: complex64 [F * H * W, head_dim / 2]. Height and
/// width have 2 * floor(head_dim / 6) channels each, time has the rest; each axis has its own denominator. Computes the
/// angles in float64.
Tensor rotary_table(const TokenGrid& grid, std::int64_t head_dim);

}  // namespace kinescope::wan
