#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/device/tensor.h"

/// The inner loop of one_pass_stats().
namespace kinescope::stats_kernels {

inline constexpr std::int64_t kBlock = 1024;          ///< values that are summed in float; blocks are summed in double
inline constexpr std::int32_t kInfBits = 0x7f800000;  ///< bits of |x| = infinity; those of NaN are larger

struct Sums {
    float min = std::numeric_limits<float>::infinity();
    float max = -std::numeric_limits<float>::infinity();
    double sum = 0;            ///< of x - shift
    double sum_squares = 0;    ///< of (x - shift)^2
    std::int32_t largest = 0;  ///< bits of the largest |x|; from kInfBits on: some value is not finite

    void add(const Sums& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
        sum_squares += other.sum_squares;
        largest = std::max(largest, other.largest);
    }
};

/// Computes the sums of `blocks` blocks of kBlock values.
Sums reduce_blocks(const float* x, std::int64_t blocks, float shift);
Sums reduce_blocks(const at::BFloat16* x, std::int64_t blocks, float shift);
Sums reduce_blocks(const at::Half* x, std::int64_t blocks, float shift);

}  // namespace kinescope::stats_kernels
