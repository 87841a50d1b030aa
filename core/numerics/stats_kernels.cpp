#include "core/numerics/stats_kernels.h"

#include <array>
#include <cstring>

#include "core/base/cpu_vectors.h"
#include "core/device/cpu_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/numerics/stats_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kinescope::stats_kernels::HWY_NAMESPACE {
namespace {

constexpr std::int32_t kHalfInfBits = 0x47800000;  // bits of float16's infinity after widening its exponent

/// Converts kLanes values to float32. `magnitude` becomes the bits of |x| as if it was float32, in which infinity and
/// NaN have bits from kInfBits on.
[[gnu::always_inline]] inline void widen(const float* x, FloatLanes& value, IntLanes& magnitude) {
    std::memcpy(&value, x, sizeof value);
    std::memcpy(&magnitude, x, sizeof magnitude);
    magnitude &= 0x7fffffff;
}

[[gnu::always_inline]] inline void widen(const at::BFloat16* x, FloatLanes& value, IntLanes& magnitude) {
    ShortLanes bits;
    std::memcpy(&bits, x, sizeof bits);
    const IntLanes wide = __builtin_convertvector(bits, IntLanes) << 16;
    std::memcpy(&value, &wide, sizeof value);
    magnitude = wide & 0x7fffffff;
}

/// Infinity and NaN become large finite values, because the caller only counts them.
[[gnu::always_inline]] inline void widen(const at::Half* x, FloatLanes& value, IntLanes& magnitude) {
    constexpr int kMoreMantissa = 13;            // bits of float32's mantissa in addition to those of float16
    constexpr int kMoreBias = (127 - 15) << 23;  // difference of the exponents' biases
    constexpr int kLeastNormal = 0x400, kHalfInf = 0x7c00;
    ShortLanes bits;
    std::memcpy(&bits, x, sizeof bits);
    const IntLanes wide = __builtin_convertvector(bits, IntLanes);
    const IntLanes rest = wide & 0x7fff;
    const IntLanes normal = (rest << kMoreMantissa) + kMoreBias;
    const FloatLanes subnormal = __builtin_convertvector(rest, FloatLanes) * 0x1p-24F;
    IntLanes small;
    std::memcpy(&small, &subnormal, sizeof small);
    magnitude = rest < kLeastNormal ? small : normal;
    const IntLanes is_signed = (wide & 0x8000) << 16 | magnitude;
    std::memcpy(&value, &is_signed, sizeof value);
    magnitude += rest >= kHalfInf ? kInfBits - kHalfInfBits : IntLanes{};
}

using HalfOfLanes = float __attribute__((vector_size(kLanes / 2 * sizeof(float))));
using DoubleLanes = double __attribute__((vector_size(kLanes / 2 * sizeof(double))));

[[gnu::always_inline]] inline void add_to(std::array<DoubleLanes, 2>& total, const FloatLanes& lanes) {
    const HalfOfLanes low = __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 4, 5, 6, 7);
    const HalfOfLanes high = __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15);
    total[0] += __builtin_convertvector(low, DoubleLanes);
    total[1] += __builtin_convertvector(high, DoubleLanes);
}

template <class T>
[[gnu::always_inline]] inline Sums sums_of_blocks(const T* x, std::int64_t blocks, float shift) {
    FloatLanes low = {};
    low += std::numeric_limits<float>::infinity();
    FloatLanes high = -low;
    std::array<DoubleLanes, 2> total = {}, total_squares = {};
    IntLanes largest = {};
    for (std::int64_t block = 0; block < blocks; ++block, x += kBlock) {
        FloatLanes sum = {};
        FloatLanes sum_squares = {};
        for (std::int64_t i = 0; i < kBlock; i += kLanes) {
            FloatLanes value;
            IntLanes magnitude;
            widen(x + i, value, magnitude);
            largest = magnitude > largest ? magnitude : largest;
            low = value < low ? value : low;
            high = value > high ? value : high;
            const FloatLanes centered = value - shift;
            sum += centered;
            sum_squares += centered * centered;
        }
        add_to(total, sum);
        add_to(total_squares, sum_squares);
    }
    Sums sums;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        const auto half = static_cast<std::size_t>(lane / (kLanes / 2));
        const auto at = lane % (kLanes / 2);
        sums.add({low[lane], high[lane], total[half][at], total_squares[half][at], largest[lane]});
    }
    return sums;
}

Sums reduce_float32(const float* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

Sums reduce_bfloat16(const at::BFloat16* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

Sums reduce_float16(const at::Half* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

}  // namespace
}  // namespace kinescope::stats_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace kinescope::stats_kernels {

HWY_EXPORT(reduce_float32);
Sums reduce_blocks(const float* x, std::int64_t blocks, float shift) {
    return HWY_DYNAMIC_DISPATCH(reduce_float32)(x, blocks, shift);
}

HWY_EXPORT(reduce_bfloat16);
Sums reduce_blocks(const at::BFloat16* x, std::int64_t blocks, float shift) {
    return HWY_DYNAMIC_DISPATCH(reduce_bfloat16)(x, blocks, shift);
}

HWY_EXPORT(reduce_float16);
Sums reduce_blocks(const at::Half* x, std::int64_t blocks, float shift) {
    return HWY_DYNAMIC_DISPATCH(reduce_float16)(x, blocks, shift);
}

}  // namespace kinescope::stats_kernels

#endif
