#pragma once

#include "core/device/tensor.h"

namespace kinescope {

struct ScaledDown {
    Tensor values;  ///< float32
    Tensor factor;  ///< a power of two, at least 1, of shape []: values * factor is exactly x
};

/// Divides by the least power of two with which the result, and its product with `weight` [out, ...], stay within
/// 32768, half of the float16 range: no output is larger than the largest |x| times the largest row sum of |weight|.
/// Stays on the device. Exact in float32; in float16, what is below 2^-14 afterwards loses digits.
ScaledDown scale_down(const Tensor& x, const Tensor& weight);

}  // namespace kinescope
