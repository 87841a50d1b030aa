#pragma once

#include "core/device/tensor.h"

namespace kinescope {

struct ScaledDown {
    Tensor values;  ///< float32, |x| <= 1
    Tensor factor;  ///< a power of two, at least 1, of shape []: values * factor is exactly x
};

/// Divides by a power of two so that nothing is beyond 1: a float16 product of the result has room for sums of
/// thousands of terms. Stays on the device. Exact, except that values become subnormal 2^-126 below the largest.
ScaledDown scale_down(const Tensor& x);

}  // namespace kinescope
