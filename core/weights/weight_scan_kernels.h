#pragma once

#include <algorithm>
#include <cstdint>

/// The inner loop of scan_weight().
namespace kinescope::weight_scan_kernels {

/// Limits of a floating-point format as bit patterns, without the sign bit.
template <class Bits>
struct Format {
    Bits magnitude;  ///< bit mask
    Bits inf;        ///< everything above is NaN
    Bits flushed;    ///< the largest magnitude that float16 rounds to zero (2^-25); 0 if there is none
    Bits coarse;     ///< the largest magnitude of which float16 keeps at most 4 bits (2^-20); 0 if there is none
    Bits largest;    ///< the largest finite magnitude
};

struct Counts {
    std::int32_t max = 0;  ///< bits of the largest magnitude
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::int64_t flushed = 0;
    std::int64_t coarse = 0;
    std::int64_t largest = 0;

    void add(const Counts& other) {
        max = std::max(max, other.max);
        nan += other.nan;
        inf += other.inf;
        flushed += other.flushed;
        coarse += other.coarse;
        largest += other.largest;
    }
};

/// Counts the special values among `count` values.
Counts count_values(const std::int32_t* values, std::int64_t count, const Format<std::int32_t>& format);
Counts count_values(const std::int16_t* values, std::int64_t count, const Format<std::int16_t>& format);
Counts count_values(const std::int8_t* values, std::int64_t count, const Format<std::int8_t>& format);

}  // namespace kinescope::weight_scan_kernels
