#pragma once

#include <cstdint>
#include <string>

#include "core/device/tensor.h"

namespace kinescope {

/// Statistics from one pass over a stored tensor (detector S0).
struct WeightScan {
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::int64_t flushed = 0;    ///< values that are not zero, but become zero in float16
    std::int64_t coarse = 0;     ///< number of flushed values, plus values of which float16 keeps at most 4 bits
    std::int64_t saturated = 0;  ///< float8 only: values at the largest magnitude
    double max_abs = 0;          ///< largest magnitude; infinite if any value is NaN or infinite
};

/// Scans a contiguous CPU tensor in one pass. Reads the bits of float32, float16, bfloat16, float8_e4m3fn and
/// float8_e5m2 without conversion; converts other dtypes to float32.
WeightScan scan_weight(const Tensor& stored);

/// A weight that exceeds these limits is not converted to float16.
inline constexpr double kFloat16WeightMax = 16384.0;
inline constexpr double kFloat16FlushedShare = 0.001;
bool fits_float16(const WeightScan& scan);

/// Returns the number of output and input channels of a weight [out, in, ...] whose rounding error in float16 is less
/// than 40 dB below their values, because the values are subnormal in float16. The op before or after may amplify such
/// channels. Returns 0 if the tensor is not a weight of products.
std::int64_t channels_lost_in_float16(const Tensor& stored, const WeightScan& scan);

/// Describes invalid values: "3 NaN and 0 Inf of 4096 values".
std::string describe_non_finite(const WeightScan& scan);

}  // namespace kinescope
