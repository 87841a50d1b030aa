#pragma once

#include <cstdint>
#include <string>

#include "core/device/tensor.h"

namespace kinescope {

/// What one look at a stored tensor tells (detector S0).
struct WeightScan {
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::int64_t flushed = 0;    ///< values that are not zero and become zero in float16
    std::int64_t coarse = 0;     ///< the same, and values of which float16 keeps at most 4 bits
    std::int64_t saturated = 0;  ///< float8 only: values at the largest magnitude
    double max_abs = 0;          ///< of the finite values and Inf
};

/// One pass over a contiguous CPU tensor of float32, float16, bfloat16, float8_e4m3fn or float8_e5m2; NaN and Inf are
/// seen in the bits, so nothing is converted. Other dtypes are converted to float32.
WeightScan scan_weight(const Tensor& stored);

/// Beyond these a weight is not narrowed to float16.
inline constexpr double kFloat16WeightMax = 16384.0;
inline constexpr double kFloat16FlushedShare = 0.001;
bool fits_float16(const WeightScan& scan);

/// Output and input channels of a weight [out, in, ...] that float16 leaves less than 40 dB of, because their values
/// are subnormal in it: an op before or behind may multiply them up again. 0 for anything but a weight of products.
std::int64_t channels_lost_in_float16(const Tensor& stored, const WeightScan& scan);

/// "3 NaN and 0 Inf of 4096 values"
std::string non_finite_in_words(const WeightScan& scan);

}  // namespace kinescope
