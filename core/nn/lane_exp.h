#pragma once

#include <cstring>

#include "core/base/cpu_vectors.h"

namespace kinescope {

/// exp(x), within two units of the last place: 2^n times a polynomial (Cephes). Beyond +-87 as there; NaN stays.
[[gnu::always_inline]] inline void exp_of(const FloatLanes& x, FloatLanes& result) {
    constexpr float kMost = 87.0f, kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
    constexpr float kRounding = 12582912.0f;  // 1.5 * 2^23: added, it leaves the nearest whole number in the last bits
    FloatLanes v = x;
    v = v > kMost ? FloatLanes{} + kMost : v;
    v = v < -kMost ? FloatLanes{} - kMost : v;
    const FloatLanes shifted = v * kLog2E + kRounding;
    const FloatLanes n = shifted - kRounding;
    const FloatLanes r = v - n * kLn2High - n * kLn2Low;
    FloatLanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    IntLanes exponent;
    std::memcpy(&exponent, &shifted, sizeof exponent);
    exponent = (exponent + 127) << 23;
    FloatLanes power;
    std::memcpy(&power, &exponent, sizeof power);
    result = p * power;
}

}  // namespace kinescope
