#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace kinescope::faults {

using Draw = std::mt19937_64;

/// Returns a random number from 0 to count - 1, or 0 if `count` is 0.
inline std::int64_t below(Draw& draw, std::size_t count) {
    return static_cast<std::int64_t>(draw() % std::max<std::size_t>(count, 1));
}

template <class T>
const T& any_of(const std::vector<T>& all, Draw& draw) {
    return all[static_cast<std::size_t>(below(draw, all.size()))];
}

}  // namespace kinescope::faults
