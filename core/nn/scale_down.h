#pragma once

#include "core/device/tensor.h"

namespace kinescope {

struct ScaledDown {
    Tensor values;  ///< float32
    Tensor factor;  ///< a power of two, at least 1, of shape []: values * factor is exactly x
};

/// Returns the largest row sum of |weight|, at least 1, divided by 32768: float32 of shape []. Times the largest |x|,
/// it bounds a product with `weight` [out, ...] relative to half of float16's range. Reads the whole weight.
Tensor product_gain(const Tensor& weight);

/// Divides x by the smallest power of two for which the result, and its product with the weight of `gain`, stay within
/// 32768, half of float16's range: no output exceeds the largest |x| times the largest row sum of |weight|. The
/// division is exact in float32; in float16, values below 2^-14 lose precision. Does not wait for the device.
ScaledDown scale_down(const Tensor& x, const Tensor& gain);

}  // namespace kinescope
