#pragma once

#include "core/device/tensor.h"

namespace kinescope {

struct ScaledDown {
    Tensor values;  ///< float32
    Tensor factor;  ///< a power of two, at least 1, of shape []: values * factor is exactly x
};

/// Divides by a power of two so that the product of the result with `weight` [out, ...] stays within 32768, half of the
/// float16 range: no output is larger than the largest |x| times the largest row sum of |weight|. Stays on the device.
/// Exact in float32; in float16, what is 2^-14 below 1 begins to lose digits.
ScaledDown scale_down(const Tensor& x, const Tensor& weight);

}  // namespace kinescope
