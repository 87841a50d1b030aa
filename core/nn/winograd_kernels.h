#pragma once

#include <cstdint>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/nn/strip_product.h"

/// The inner loops of core/nn/winograd.h, on plain memory. Channels lie in whole vectors of kLanes: the rest is zeros.
namespace kinescope::winograd {

using strip_product::kStrip;
using strip_product::Sum;

/// What a side of a patch is made into, and how many places it looks at: four for two results of a picture as it is;
/// three where each place of the picture stands for two.
enum class Points : std::int64_t { four = 4, three = 3 };

inline constexpr std::int64_t count(Points points) {
    return static_cast<std::int64_t>(points);
}

/// `places`: count(points)^2 pixels of `channels` floats, row by row. Writes as many values of round_up(channels,
/// kLanes) floats, `plane` floats apart.
void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane);

/// Filters of at most kLanes output channels, `out_stride` floats apart: [outs, ins, 3, 3].
struct Filters {
    const float* weight = nullptr;
    std::int64_t out_stride = 0;
    std::int64_t outs = 0;
    std::int64_t ins = 0;
};
/// Writes kLanes floats of each input channel, kStrip floats apart, for each of count(points)^2 values, `plane` floats
/// apart; zeros for channels that there are not, up to round_up(ins, kLanes).
void transform_weight(Points points, const Filters& filters, float* values, std::int64_t plane);

/// The inverse of transform_input for a product: writes `channels` floats to each of the four `places`, row by row.
/// `bias` has round_up(channels, kLanes) floats.
void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places);

}  // namespace kinescope::winograd
