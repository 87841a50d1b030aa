#pragma once

#include <cstdint>

namespace kinescope {

/// Returns the number of parts of at most `size` into which `total` can be divided.
constexpr std::int64_t count_parts(std::int64_t total, std::int64_t size) {
    return (total + size - 1) / size;
}

/// Returns the smallest multiple of `step` that is not less than `number`.
constexpr std::int64_t round_up(std::int64_t number, std::int64_t step) {
    return count_parts(number, step) * step;
}

}  // namespace kinescope
