#pragma once

#include "core/weights/stored_weight.h"

namespace kinescope {

/// Maximum ratio of a row's largest value to its root mean square. Above it, int8 rounds the other values too coarsely:
/// the rounding error is ratio / 440 of the root mean square.
inline constexpr double kInt8Crest = 40;

/// Quantizes a weight to int8 with one scale per row, so that the row's largest value becomes 127. Rows with outliers
/// (see kInt8Crest) become zero and are added exactly in float32. Returns plain float32 if most rows have outliers or
/// any value is not finite.
StoredWeight quantize_int8(const Tensor& weight);

}  // namespace kinescope
