#include "core/numerics/tensor_stats.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/device/dtype.h"

namespace kinescope {

Tensor stat_row(const Tensor& value) {
    const Tensor x = value.detach();
    const auto [low, high] = at::aminmax(x);
    const auto [deviation, mean] = at::std_mean(x.to(at::kFloat).flatten(), 0, /*unbiased=*/false);
    // A finite sum of squares is not certain even for finite elements, so the counts look at the elements themselves.
    const Tensor nan = at::isnan(x).sum();
    const Tensor inf = at::isinf(x).sum();
    const auto as_double = [](const Tensor& scalar) { return scalar.to(at::kDouble); };
    return at::stack(
        {as_double(low), as_double(high), as_double(mean), as_double(deviation), as_double(nan), as_double(inf)});
}

TensorStats compute_stats(const Tensor& value) {
    TensorStats stats;
    stats.count = value.numel();
    if (stats.count == 0) return stats;
    const Tensor x = value.detach().to(at::kCPU);
    const auto [low, high] = at::aminmax(x);
    stats.min = low.item<double>();
    stats.max = high.item<double>();
    Tensor finite = x.flatten();
    if (!std::isfinite(stats.min) || !std::isfinite(stats.max)) {
        stats.nan = at::isnan(x).sum().item<std::int64_t>();
        stats.inf = at::isinf(x).sum().item<std::int64_t>();
        finite = finite.index({at::isfinite(finite)});
        if (finite.numel() == 0) {
            stats.min = stats.max = 0;
            return stats;
        }
        const auto [finite_low, finite_high] = at::aminmax(finite);
        stats.min = finite_low.item<double>();
        stats.max = finite_high.item<double>();
    }
    const auto [deviation, mean] = at::std_mean(finite.to(at::kFloat), 0, /*unbiased=*/false);
    stats.max_abs = std::max(std::abs(stats.min), std::abs(stats.max));
    stats.mean = mean.item<double>();
    stats.std = deviation.item<double>();
    return stats;
}

double headroom_stops(const TensorStats& stats, Dtype dtype) {
    constexpr double kMost = 200.0;
    if (stats.nan + stats.inf > 0) return 0.0;
    if (!(stats.max_abs > 0)) return kMost;
    return std::clamp(std::log2(dtype_max(dtype) / stats.max_abs), 0.0, kMost);
}

std::vector<std::int64_t> histogram(const Tensor& value, int num_bins, double low, double high) {
    const Tensor x = value.detach().to(at::kCPU, at::kFloat).flatten();
    const Tensor finite = x.index({at::logical_not(at::isnan(x))}).clamp(low, high);
    const Tensor counts = at::histc(finite, num_bins, low, high).to(at::kLong).contiguous();
    return {counts.const_data_ptr<std::int64_t>(), counts.const_data_ptr<std::int64_t>() + num_bins};
}

}  // namespace kinescope
