#pragma once

#include <cstdint>

namespace kinescope {

/// Parts of at most `size` that make up `total`.
constexpr std::int64_t count_parts(std::int64_t total, std::int64_t size) {
    return (total + size - 1) / size;
}

/// The least multiple of `step` that is not less.
constexpr std::int64_t round_up(std::int64_t number, std::int64_t step) {
    return count_parts(number, step) * step;
}

}  // namespace kinescope
