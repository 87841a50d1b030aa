#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// Computes x = gelu(x) in place, with the tanh approximation. Takes one pass over memory for float32 on the CPU.
void gelu_tanh_(Tensor& x);

}  // namespace kinescope
