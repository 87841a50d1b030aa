#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/cpu_vectors.h"

namespace kinescope {

constexpr float kLog2E = 1.44269504f;
/// 1.5 * 2^23. Adding it to a float leaves the nearest integer in the low bits.
constexpr float kToWhole = 12582912.0f;

/// Computes exp(x) within two units in the last place, as 2^n times a polynomial (Cephes). Clamps x to +-87; NaN
/// propagates.
[[gnu::always_inline]] inline void exp_of(const FloatLanes& x, FloatLanes& result) {
    constexpr float kMost = 87.0f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
    FloatLanes v = x;
    v = v > kMost ? FloatLanes{} + kMost : v;
    v = v < -kMost ? FloatLanes{} - kMost : v;
    const FloatLanes shifted = v * kLog2E + kToWhole;
    const FloatLanes n = shifted - kToWhole;
    const FloatLanes r = v - n * kLn2High - n * kLn2Low;
    FloatLanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    // Unsigned, because the bits of NaN overflow.
    std::uint32_t __attribute__((vector_size(sizeof(FloatLanes)))) exponent;
    std::memcpy(&exponent, &shifted, sizeof exponent);
    exponent = (exponent + 127) << 23;
    FloatLanes power;
    std::memcpy(&power, &exponent, sizeof power);
    result = p * power;
}

/// Computes 2^x for x <= 0 within one unit in the last place, as 2^n times the minimax polynomial for |x - n| <= 1/2,
/// whose relative error is 2e-9. Clamps x to at least -125; NaN propagates.
[[gnu::always_inline]] inline void power_of_two(const FloatLanes& x, FloatLanes& result) {
    constexpr float kLeast = -125.0f;
    const FloatLanes v = x < kLeast ? FloatLanes{} + kLeast : x;
    const FloatLanes shifted = v + kToWhole;
    const FloatLanes r = v - (shifted - kToWhole);
    FloatLanes p = r * 1.5345811913e-4f + 1.3399931219e-3f;
    p = p * r + 9.6184889575e-3f;
    p = p * r + 5.5503287770e-2f;
    p = p * r + 2.4022646891e-1f;
    p = p * r + 6.9314720574e-1f;
    p = p * r + 1.0f;
    // Add n to the exponent bits, which encode 0 or -1 for the polynomial. Leave the bits of NaN unchanged.
    IntLanes exponent, bits;
    std::memcpy(&exponent, &shifted, sizeof exponent);
    std::memcpy(&bits, &p, sizeof bits);
    bits += (exponent << 23) & (v == v);
    std::memcpy(&result, &bits, sizeof result);
}

}  // namespace kinescope
