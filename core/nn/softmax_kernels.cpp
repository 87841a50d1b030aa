#include "core/nn/softmax_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/cpu_clones.h"
#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/nn/lane_exp.h"

namespace kinescope::softmax_kernels {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// NaN may be passed over: its power shows it.
[[gnu::always_inline]] inline float largest_of(const float* scores, std::int64_t count) {
    FloatLanes most = FloatLanes{} + kLowest;
    for (std::int64_t i = 0; i < count; i += kLanes) {
        FloatLanes score;
        std::memcpy(&score, scores + i, sizeof score);
        most = score < most ? most : score;
    }
    float largest = kLowest;
    for (int lane = 0; lane < kLanes; ++lane) largest = most[lane] < largest ? largest : most[lane];
    return largest;
}

/// Returns their sum.
[[gnu::always_inline]] inline float to_powers(float* scores, std::int64_t count, float largest, float scale) {
    const float factor = scale * kLog2E;
    FloatLanes sums = {};
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; i += kLanes) {
        FloatLanes score, power;
        std::memcpy(&score, scores + i, sizeof score);
        power_of_two((score - largest) * factor, power);
        sums += power;
        std::memcpy(scores + i, &power, sizeof power);
    }
    float sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) sum += sums[lane];
    return sum;
}

}  // namespace

KINESCOPE_CPU_CLONES
float add_part(float* scores, std::int64_t count, float scale, Row& row) {
    const auto whole = round_up(count, kLanes);
    std::fill(scores + count, scores + whole, kLowest);
    const float own = largest_of(scores, whole);
    const bool is_first = row.sum == 0;
    const float largest = is_first || !(own < row.largest) ? own : row.largest;
    const float factor = is_first ? 0 : std::exp((row.largest - largest) * scale);
    row.sum = row.sum * factor + to_powers(scores, whole, largest, scale);
    row.largest = largest;
    return factor;
}

KINESCOPE_CPU_CLONES
void multiply(float* values, std::int64_t count, float factor) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        FloatLanes value;
        load_lanes(value, values + i, count - i);
        value *= factor;
        store_lanes(values + i, value, count - i);
    }
}

}  // namespace kinescope::softmax_kernels
