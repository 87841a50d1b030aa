#include "core/numerics/cpu_stats.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/cpu_clones.h"
#include "core/base/cpu_vectors.h"
#include "core/base/round_up.h"

namespace kinescope {

namespace {

constexpr std::int64_t kBlock = 1024;              // float sums within a block, double sums of blocks
constexpr std::int64_t kGrain = 512 * 1024;        // elements per thread; smaller parts are not worth a thread
constexpr std::int32_t kInfBits = 0x7f800000;      // bits of |x| = infinity; those of NaN are larger
constexpr std::int32_t kHalfInfBits = 0x47800000;  // bits of float16's infinity after widening its exponent

struct Sums {
    float min = std::numeric_limits<float>::infinity();
    float max = -std::numeric_limits<float>::infinity();
    double sum = 0;            // of x - shift
    double sum_squares = 0;    // of (x - shift)^2
    std::int32_t largest = 0;  // bits of the largest |x|; from kInfBits on: some value is not finite

    void add(const Sums& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
        sum_squares += other.sum_squares;
        largest = std::max(largest, other.largest);
    }
};

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

/// Computes the sums of `blocks` blocks of kBlock values.
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

KINESCOPE_CPU_CLONES
Sums reduce_blocks(const float* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

KINESCOPE_CPU_CLONES
Sums reduce_blocks(const at::BFloat16* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

KINESCOPE_CPU_CLONES
Sums reduce_blocks(const at::Half* x, std::int64_t blocks, float shift) {
    return sums_of_blocks(x, blocks, shift);
}

template <class T>
Sums reduce_range(const T* x, std::int64_t count, float shift) {
    const std::int64_t blocks = count / kBlock;
    Sums sums = reduce_blocks(x, blocks, shift);
    if (blocks * kBlock == count) return sums;
    // The last block is filled with `shift`, which adds nothing to the sums.
    std::array<float, kBlock> block;
    block.fill(shift);
    std::transform(x + blocks * kBlock, x + count, block.begin(), [](T value) { return static_cast<float>(value); });
    sums.add(reduce_blocks(block.data(), 1, shift));
    return sums;
}

template <class T>
Sums reduce(const T* x, std::int64_t count) {
    // Sums of x - x[0] keep the deviation accurate if the mean is large compared with the deviation.
    const float first = static_cast<float>(x[0]);
    const float shift = std::isfinite(first) ? first : 0.0f;
    if (count < kGrain) return reduce_range(x, count, shift);
    // Parts of fixed size are added in order, so that the result does not depend on the number of threads.
    std::vector<Sums> parts(static_cast<std::size_t>(count_parts(count, kGrain)));
    at::parallel_for(0, static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = begin; i < end; ++i)
            parts[static_cast<std::size_t>(i)] =
                reduce_range(x + i * kGrain, std::min(kGrain, count - i * kGrain), shift);
    });
    Sums total;
    for (const Sums& part : parts) total.add(part);
    return total;
}

template <class T>
TensorStats count_non_finite(const T* x, std::int64_t count) {
    const auto widened = [](T value) { return static_cast<float>(value); };
    return {.count = count,
            .nan = std::count_if(x, x + count, [&](T value) { return std::isnan(widened(value)); }),
            .inf = std::count_if(x, x + count, [&](T value) { return std::isinf(widened(value)); })};
}

template <class T>
TensorStats stats_of(const Tensor& value) {
    const T* x = value.const_data_ptr<T>();
    const std::int64_t count = value.numel();
    const Sums sums = reduce(x, count);
    if (sums.largest >= kInfBits) return count_non_finite(x, count);
    TensorStats stats{.count = count};
    const auto first = static_cast<double>(static_cast<float>(x[0]));
    const double offset = sums.sum / static_cast<double>(count);
    stats.min = sums.min;
    stats.max = sums.max;
    stats.max_abs = std::max(std::abs(stats.min), std::abs(stats.max));
    stats.mean = first + offset;
    stats.std = std::sqrt(std::max(0.0, sums.sum_squares / static_cast<double>(count) - offset * offset));
    return stats;
}

}  // namespace

TensorStats one_pass_stats(const Tensor& value) {
    if (value.numel() == 0) return {};
    switch (value.scalar_type()) {
        case at::kHalf:
            return stats_of<at::Half>(value);
        case at::kBFloat16:
            return stats_of<at::BFloat16>(value);
        default:
            return stats_of<float>(value);
    }
}

}  // namespace kinescope
