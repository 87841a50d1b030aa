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

constexpr std::int64_t kBlock = 1024;          // float sums within a block, double sums of blocks
constexpr std::int64_t kGrain = 512 * 1024;    // elements per thread; smaller parts are not worth a thread
constexpr std::int32_t kInfBits = 0x7f800000;  // bits of |x| = infinity; those of NaN are larger

struct Sums {
    float min = std::numeric_limits<float>::infinity();
    float max = -std::numeric_limits<float>::infinity();
    double sum = 0;          // of x - shift
    double sum_squares = 0;  // of (x - shift)^2
    std::int64_t nan = 0;
    std::int64_t inf = 0;

    void add(const Sums& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        sum += other.sum;
        sum_squares += other.sum_squares;
        nan += other.nan;
        inf += other.inf;
    }
};

/// Computes the sums of one block: `x` has kBlock values. The caller pads a shorter block with `shift`, which adds
/// nothing to the sums.
KINESCOPE_CPU_CLONES
Sums reduce_block(const float* x, float shift) {
    FloatLanes low = {};
    low += std::numeric_limits<float>::infinity();
    FloatLanes high = -low;
    FloatLanes sum = {};
    FloatLanes sum_squares = {};
    IntLanes nan = {};
    IntLanes inf = {};
    for (std::int64_t i = 0; i < kBlock; i += kLanes) {
        FloatLanes value;
        IntLanes magnitude;
        std::memcpy(&value, x + i, sizeof value);
        std::memcpy(&magnitude, x + i, sizeof magnitude);
        magnitude &= 0x7fffffff;
        nan -= magnitude > kInfBits;
        inf -= magnitude == kInfBits;
        low = value < low ? value : low;
        high = value > high ? value : high;
        const FloatLanes centered = value - shift;
        sum += centered;
        sum_squares += centered * centered;
    }
    Sums sums;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        sums.add({low[lane], high[lane], sum[lane], sum_squares[lane], nan[lane], inf[lane]});
    }
    return sums;
}

template <class T>
Sums reduce_range(const T* x, std::int64_t count, float shift) {
    std::array<float, kBlock> block;
    Sums sums;
    for (std::int64_t begin = 0; begin < count; begin += kBlock) {
        const std::int64_t length = std::min(kBlock, count - begin);
        if constexpr (std::is_same_v<T, float>) {
            if (length == kBlock) {
                sums.add(reduce_block(x + begin, shift));
                continue;
            }
        }
        std::transform(x + begin, x + begin + length, block.begin(), [](T value) { return static_cast<float>(value); });
        std::fill(block.begin() + length, block.end(), shift);
        sums.add(reduce_block(block.data(), shift));
    }
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
TensorStats stats_of(const Tensor& value) {
    const T* x = value.const_data_ptr<T>();
    const std::int64_t count = value.numel();
    const Sums sums = reduce(x, count);
    TensorStats stats{.count = count, .nan = sums.nan, .inf = sums.inf};
    if (stats.nan + stats.inf > 0) return stats;
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
