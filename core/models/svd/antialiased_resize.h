#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope::svd {

/// Shrinks an image for CLIP like the reference: a Gaussian blur of sigma (scale - 1) / 2 along each axis, with
/// reflected borders, then bicubic interpolation (a = -0.75) with aligned corners. Does not keep the aspect ratio and
/// does not clamp. `pixels` is float32 [1, C, H, W] with H and W at least 2; the result is [1, C, side, side].
Tensor antialiased_resize(const Tensor& pixels, std::int64_t side);

}  // namespace kinescope::svd
