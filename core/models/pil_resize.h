#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Pillow's resampling filters: Lanczos with 3 lobes, and bicubic with a = -0.5.
enum class PilFilter { lanczos, bicubic };

/// Resizes an image bit-identically to Image.resize of Pillow 13: a separable filter, widened for downscaling, with
/// fixed-point weights and 8-bit values between the two passes. A side that keeps its length is not filtered. `image`
/// is uint8 [H, W, 3]; `height` and `width` are in px, at least 1. Returns uint8 [height, width, 3].
Tensor pil_resize(const Tensor& image, std::int64_t height, std::int64_t width, PilFilter filter);

}  // namespace kinescope
