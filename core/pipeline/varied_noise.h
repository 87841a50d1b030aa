#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// Spherical interpolation between two noise tensors of the same shape (Shoemake, 1985): `t` = 0 returns `from`, 1
/// returns `to`. Unlike a weighted mean, it keeps the deviation of the noise. Computes the angle in float64.
Tensor slerp(const Tensor& from, const Tensor& to, double t);

}  // namespace kinescope
