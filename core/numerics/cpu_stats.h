#pragma once

#include "core/api/numeric_sample.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Computes the statistics of a contiguous float32, bfloat16 or float16 CPU tensor in one pass over its memory. If
/// there are NaN or infinite elements, sets only count, nan and inf; compute_stats computes the others in a second
/// pass.
TensorStats one_pass_stats(const Tensor& value);

}  // namespace kinescope
