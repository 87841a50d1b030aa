#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Pillow's filters: Lanczos with 3 lobes, and the cubic with a = -0.5.
enum class PilFilter { lanczos, bicubic };

/// Image.resize of Pillow 13, bit for bit: a separable filter that is widened when a side shrinks, weights in fixed
/// point, and 8 bits between the two passes. A side that keeps its length is not filtered. `image` uint8 [H, W, 3];
/// `height` and `width` in px, at least 1. Returns uint8 [height, width, 3].
Tensor pil_resize(const Tensor& image, std::int64_t height, std::int64_t width, PilFilter filter);

}  // namespace kinescope
