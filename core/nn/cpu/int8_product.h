#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// Returns x W^T as int32 [L, out], summed exactly. `x` is int16 [L, round_up(in, 2)] with values of int8, and zeros in
/// the padding; `weight` is int8 [out, in].
Tensor int8_product(const Tensor& x, const Tensor& weight);

}  // namespace kinescope
