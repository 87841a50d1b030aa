#pragma once

#include <cstdint>

namespace kinescope {

/// Number of parts of at most `size` in `total`.
constexpr std::int64_t count_parts(std::int64_t total, std::int64_t size) {
    return (total + size - 1) / size;
}

/// The smallest multiple of `step` that is at least `number`.
constexpr std::int64_t round_up(std::int64_t number, std::int64_t step) {
    return count_parts(number, step) * step;
}

}  // namespace kinescope
