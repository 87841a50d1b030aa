#pragma once

#include <cstdint>

namespace kinescope {

/// The tokens of one head. `stride` is the distance between tokens in floats.
struct Head {
    const float* tokens;
    std::int64_t stride, count;
};

/// Some queries of a head, and their results.
struct Queries {
    Head query;
    float* result;
    std::int64_t result_stride;
};

}  // namespace kinescope
