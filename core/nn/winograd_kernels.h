#pragma once

#include <cstdint>

#include "core/base/cpu_vectors.h"

/// The inner loops of core/nn/winograd.h, on plain memory.
namespace kinescope::winograd {

/// Channels lie in whole vectors of kLanes: the rest is zeros. Output channels that are multiplied at once; weights lie
/// in strips of that width.
inline constexpr std::int64_t kStrip = 32;

/// What a side of a patch is made into, and how many places it looks at: four for two results of a picture as it is;
/// three where each place of the picture stands for two.
enum class Points : std::int64_t { four = 4, three = 3 };

inline constexpr std::int64_t count(Points points) {
    return static_cast<std::int64_t>(points);
}

constexpr std::int64_t whole(std::int64_t channels, std::int64_t width) {
    return (channels + width - 1) / width * width;
}

/// Whether this CPU has the vectors that the loops are written for. Without them nothing else here may be called.
bool is_supported();

/// `places`: count(points)^2 pixels of `channels` floats, row by row. Writes as many values of whole(channels, kLanes)
/// floats, `plane` floats apart.
void transform_input(Points points, const float* const* places, std::int64_t channels, float* values,
                     std::int64_t plane);

/// `weight`: 3 x 3 x `channels`, output channels last; `channels` at most kLanes are taken, `stride` floats apart from
/// place to place. Writes kLanes floats for each of count(points)^2 values, `plane` floats apart.
void transform_weight(Points points, const float* weight, std::int64_t stride, std::int64_t channels, float* values,
                      std::int64_t plane);

/// The inverse of transform_input for a product: writes `channels` floats to each of the four `places`, row by row.
/// `bias` has whole(channels, kLanes) floats.
void transform_output(Points points, const float* values, std::int64_t plane, const float* bias, std::int64_t channels,
                      float* const* places);

/// c = a b, row by row: [rows, depth] x [depth, kStrip]. The order in which a sum is taken depends on nothing but
/// depth.
struct Product {
    const float* a = nullptr;
    std::int64_t a_stride = 0;
    std::int64_t rows = 0;
    const float* b = nullptr;
    std::int64_t depth = 0;
    float* c = nullptr;
    std::int64_t c_stride = 0;
};
void multiply(const Product& product);

}  // namespace kinescope::winograd
