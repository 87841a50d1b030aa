#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// x = gelu(x) by its approximation with tanh, in place. In one pass over float32 values on the CPU.
void gelu_tanh_(Tensor& x);

}  // namespace kinescope
