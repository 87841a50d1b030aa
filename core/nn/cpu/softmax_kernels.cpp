#include "core/nn/cpu/softmax_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"
#include "core/device/cpu_targets.h"
#include "core/nn/cpu/lane_exp.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/softmax_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::softmax_kernels::HWY_NAMESPACE {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// Number of independent vector accumulators. With a single one, each operation would wait for the previous result.
constexpr std::int64_t kSideBySide = 4;

/// Reduces the lanes to one value by repeatedly combining the two halves with `fold`.
template <class Fold>
[[gnu::always_inline]] inline float fold_lanes(const FloatLanes& all, const Fold& fold) {
    FloatLanes lanes = all;
    fold(lanes, __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    fold(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
    fold(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    fold(lanes, __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    return lanes[0];
}

struct KeepLarger {
    [[gnu::always_inline]] void operator()(FloatLanes& most, const FloatLanes& other) const {
        most = other < most ? most : other;
    }
};

struct Add {
    [[gnu::always_inline]] void operator()(FloatLanes& sum, const FloatLanes& other) const { sum += other; }
};

/// Keeps the larger of each lane and its score. May ignore NaN scores, because exp() propagates them later.
[[gnu::always_inline]] inline void keep_larger(FloatLanes& most, const float* scores) {
    FloatLanes score;
    std::memcpy(&score, scores, sizeof score);
    KeepLarger()(most, score);
}

[[gnu::always_inline]] inline float largest_of(const float* scores, std::int64_t count) {
    FloatLanes most[kSideBySide];
    for (auto& lanes : most) lanes = FloatLanes{} + kLowest;
    std::int64_t i = 0;
    for (; i + kSideBySide * kLanes <= count; i += kSideBySide * kLanes)
#pragma GCC unroll 4
        for (std::int64_t v = 0; v < kSideBySide; ++v) keep_larger(most[v], scores + i + v * kLanes);
    for (; i < count; i += kLanes) keep_larger(most[0], scores + i);
    for (std::int64_t v = 1; v < kSideBySide; ++v) KeepLarger()(most[0], most[v]);
    return fold_lanes(most[0], KeepLarger());
}

/// Replaces the scores by exp((score - largest) * scale), and returns their sum.
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
    return fold_lanes(sums, Add());
}

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

void multiply(float* values, std::int64_t count, float factor) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        FloatLanes value;
        load_lanes(value, values + i, count - i);
        value *= factor;
        store_lanes(values + i, value, count - i);
    }
}

}  // namespace
}  // namespace kinescope::softmax_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::softmax_kernels {

HWY_EXPORT(add_part);
float add_part(float* scores, std::int64_t count, float scale, Row& row) {
    return HWY_DYNAMIC_DISPATCH(add_part)(scores, count, scale, row);
}

HWY_EXPORT(multiply);
void multiply(float* values, std::int64_t count, float factor) {
    HWY_DYNAMIC_DISPATCH(multiply)(values, count, factor);
}

}  // namespace kinescope::softmax_kernels

#endif
