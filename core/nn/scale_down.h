#pragma once

#include "core/device/tensor.h"

namespace kinescope {

struct ScaledDown {
    Tensor values;  ///< float32
    Tensor factor;  ///< a power of two, at least 1, of shape []: values * factor is exactly x
};

/// How much a product with `weight` [out, ...] can exceed half of float16's range, relative to the largest |x|: float32
/// of shape [], the largest row sum of |weight| over 32768. Reads the whole weight.
Tensor product_gain(const Tensor& weight);

/// Divides x by the smallest power of two for which the result, and its product with the weight of `gain`, stay within
/// 32768, half of float16's range: no output exceeds the largest |x| times the largest row sum of |weight|. Does not
/// wait for the device. Exact in float32; in float16, values below 2^-14 lose precision.
ScaledDown scale_down(const Tensor& x, const Tensor& gain);

}  // namespace kinescope
