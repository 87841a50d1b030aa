#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// x = gelu(x) with the tanh approximation, in place. One pass for float32 on the CPU.
void gelu_tanh_(Tensor& x);

}  // namespace kinescope
