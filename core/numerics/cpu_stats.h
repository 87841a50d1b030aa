#pragma once

#include "core/api/numeric_sample.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Statistics of a contiguous float32, bfloat16 or float16 CPU tensor in one pass over its memory. With non-finite
/// elements only count, nan and inf are filled in: the rest needs a second look, which compute_stats takes.
TensorStats one_pass_stats(const Tensor& value);

}  // namespace kinescope
