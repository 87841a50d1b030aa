#include "core/nn/silu_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/cpu_clones.h"

namespace kinescope::silu_kernels {

namespace {

constexpr std::int64_t kWidth = 16;
using Values = float __attribute__((vector_size(kWidth * sizeof(float))));
using Bits = std::int32_t __attribute__((vector_size(kWidth * sizeof(std::int32_t))));

/// exp(-x), within two units of the last place: 2^n times a polynomial (Cephes).
[[gnu::always_inline]] inline void exp_of_negative(const Values& x, Values& result) {
    constexpr float kMost = 87.0f, kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
    constexpr float kRounding = 12582912.0f;  // 1.5 * 2^23: added, it leaves the nearest whole number in the last bits
    Values v = -x;
    v = v > kMost ? Values{} + kMost : v;
    v = v < -kMost ? Values{} - kMost : v;
    const Values shifted = v * kLog2E + kRounding;
    const Values n = shifted - kRounding;
    const Values r = v - n * kLn2High - n * kLn2Low;
    Values p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    Bits exponent;
    std::memcpy(&exponent, &shifted, sizeof exponent);
    exponent = (exponent + 127) << 23;
    Values power;
    std::memcpy(&power, &exponent, sizeof power);
    result = p * power;
}

[[gnu::always_inline]] inline void silu(Values& x) {
    Values e;
    exp_of_negative(x, e);
    x = x / (e + 1.0f);
}

/// Calls `work(first, lanes)` for each vector of a pixel; the last one may have fewer lanes.
template <class Work>
[[gnu::always_inline]] inline void each_vector(std::int64_t channels, const Work& work) {
    std::int64_t first = 0;
    for (; first + kWidth <= channels; first += kWidth) work(first, kWidth);
    if (first < channels) work(first, channels - first);
}

[[gnu::always_inline]] inline void load(const float* from, std::int64_t lanes, Values& value) {
    if (lanes == kWidth) {
        std::memcpy(&value, from, sizeof value);
        return;
    }
    value = Values{};
    std::memcpy(&value, from, static_cast<std::size_t>(lanes) * sizeof(float));
}

[[gnu::always_inline]] inline void store(const Values& value, std::int64_t lanes, float* to) {
    if (lanes == kWidth)
        std::memcpy(to, &value, sizeof value);
    else
        std::memcpy(to, &value, static_cast<std::size_t>(lanes) * sizeof(float));
}

}  // namespace

KINESCOPE_CPU_CLONES
void unit_length(const float* x, std::int64_t pixels, std::int64_t channels, const float* gain, float* y) {
    for (std::int64_t i = 0; i < pixels; ++i, x += channels, y += channels) {
        Values squares = {};
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                Values value;
                load(x + first, lanes, value);
                squares += value * value;
            });
        float sum = 0;
        for (int lane = 0; lane < kWidth; ++lane) sum += squares[lane];
        const float factor = 1.0f / std::max(std::sqrt(sum), 1e-12f);
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                Values value, of_channel;
                load(x + first, lanes, value);
                load(gain + first, lanes, of_channel);
                value *= factor * of_channel;
                silu(value);
                store(value, lanes, y + first);
            });
    }
}

KINESCOPE_CPU_CLONES
void scaled(const float* x, std::int64_t pixels, std::int64_t channels, const float* scale, const float* shift,
            float* y) {
    for (std::int64_t i = 0; i < pixels; ++i, x += channels, y += channels)
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                Values value, factor, summand;
                load(x + first, lanes, value);
                load(scale + first, lanes, factor);
                load(shift + first, lanes, summand);
                value = value * factor + summand;
                silu(value);
                store(value, lanes, y + first);
            });
}

/// Float sums of a few pixels; these add up in double.
KINESCOPE_CPU_CLONES
void add_moments(const float* x, std::int64_t pixels, std::int64_t channels, const float* centre, double* sums,
                 double* squares) {
    constexpr std::int64_t kPixels = 64;
    for (std::int64_t begin = 0; begin < pixels; begin += kPixels) {
        const auto end = std::min(begin + kPixels, pixels);
        each_vector(
            channels, [&](std::int64_t first, std::int64_t lanes) __attribute__((always_inline)) {
                Values middle, sum = {}, square = {};
                load(centre + first, lanes, middle);
                for (auto i = begin; i < end; ++i) {
                    Values value;
                    load(x + i * channels + first, lanes, value);
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

}  // namespace kinescope::silu_kernels
