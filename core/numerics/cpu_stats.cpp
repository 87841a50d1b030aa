#include "core/numerics/cpu_stats.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/round_up.h"
#include "core/numerics/stats_kernels.h"

namespace kinescope {

namespace {

using stats_kernels::kBlock;
using stats_kernels::kInfBits;
using stats_kernels::reduce_blocks;
using stats_kernels::Sums;

constexpr std::int64_t kGrain = 512 * 1024;  // elements per thread; smaller parts are not worth a thread

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
