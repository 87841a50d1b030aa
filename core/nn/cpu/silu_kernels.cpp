#include "core/nn/cpu/silu_kernels.h"

#include <algorithm>
#include <cmath>

#include "core/base/cpu_vectors.h"
#include "core/device/cpu_targets.h"
#include "core/nn/cpu/lane_exp.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/nn/cpu/silu_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::silu_kernels::HWY_NAMESPACE {

namespace {

[[gnu::always_inline]] inline void silu(FloatLanes& x) {
    FloatLanes e;
    exp_of(-x, e);
    x = x / (e + 1.0f);
}

/// Calls `work(first, lanes)` for each vector of the channels of a pixel. The last vector may have fewer lanes.
template <class Work>
[[gnu::always_inline]] inline void each_vector(std::int64_t channels, const Work& work) {
    std::int64_t first = 0;
    for (; first + kLanes <= channels; first += kLanes) work(first, kLanes);
    if (first < channels) work(first, channels - first);
}

void unit_length(const float* x, std::int64_t pixels, std::int64_t channels, const float* gain, float* y) {
    for (std::int64_t i = 0; i < pixels; ++i, x += channels, y += channels) {
        FloatLanes squares = {};
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                FloatLanes value;
                load_lanes(value, x + first, lanes);
                squares += value * value;
            });
        float sum = 0;
        for (int lane = 0; lane < kLanes; ++lane) sum += squares[lane];
        const float factor = 1.0f / std::max(std::sqrt(sum), 1e-12f);
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                FloatLanes value, of_channel;
                load_lanes(value, x + first, lanes);
                load_lanes(of_channel, gain + first, lanes);
                value *= factor * of_channel;
                silu(value);
                store_lanes(y + first, value, lanes);
            });
    }
}

void scaled(const float* x, std::int64_t pixels, std::int64_t channels, const float* scale, const float* shift,
            float* y) {
    for (std::int64_t i = 0; i < pixels; ++i, x += channels, y += channels)
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                FloatLanes value, factor, summand;
                load_lanes(value, x + first, lanes);
                load_lanes(factor, scale + first, lanes);
                load_lanes(summand, shift + first, lanes);
                value = value * factor + summand;
                silu(value);
                store_lanes(y + first, value, lanes);
            });
}

void gelu_tanh(float* x, std::int64_t count) {
    constexpr float kTwice = 1.59576912f, kCubic = 0.044715f;  // 2 sqrt(2 / pi)
    for (std::int64_t i = 0; i < count; i += kLanes) {
        FloatLanes value, e;
        load_lanes(value, x + i, count - i);
        exp_of(value * -kTwice * (value * value * kCubic + 1.0f), e);
        value = value / (e + 1.0f);
        store_lanes(x + i, value, count - i);
    }
}

/// Sums a few pixels in float, and adds these partial sums in double.
void add_moments(const float* x, std::int64_t pixels, std::int64_t channels, const float* center, double* sums,
                 double* squares) {
    constexpr std::int64_t kPixels = 64;
    for (std::int64_t begin = 0; begin < pixels; begin += kPixels) {
        const auto end = std::min(begin + kPixels, pixels);
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                FloatLanes middle, sum = {}, square = {};
                load_lanes(middle, center + first, lanes);
                for (auto i = begin; i < end; ++i) {
                    FloatLanes value;
                    load_lanes(value, x + i * channels + first, lanes);
                    value -= middle;
                    sum += value;
                    square += value * value;
                }
                for (std::int64_t lane = 0; lane < lanes; ++lane) {
                    sums[first + lane] += sum[lane];
                    squares[first + lane] += square[lane];
                }
            });
    }
}

}  // namespace
}  // namespace kinescope::silu_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::silu_kernels {

HWY_EXPORT(unit_length);
void unit_length(const float* x, std::int64_t pixels, std::int64_t channels, const float* gain, float* y) {
    HWY_DYNAMIC_DISPATCH(unit_length)(x, pixels, channels, gain, y);
}

HWY_EXPORT(scaled);
void scaled(const float* x, std::int64_t pixels, std::int64_t channels, const float* scale, const float* shift,
            float* y) {
    HWY_DYNAMIC_DISPATCH(scaled)(x, pixels, channels, scale, shift, y);
}

HWY_EXPORT(gelu_tanh);
void gelu_tanh(float* x, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(gelu_tanh)(x, count);
}

HWY_EXPORT(add_moments);
void add_moments(const float* x, std::int64_t pixels, std::int64_t channels, const float* center, double* sums,
                 double* squares) {
    HWY_DYNAMIC_DISPATCH(add_moments)(x, pixels, channels, center, sums, squares);
}

}  // namespace kinescope::silu_kernels

#endif
