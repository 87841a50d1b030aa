#include "core/numerics/tensor_stats.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/device/dtype.h"
#include "core/numerics/cpu_stats.h"

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

namespace {

/// A contiguous CPU tensor of a dtype that the one-pass kernel reads.
Tensor readable(const Tensor& value) {
    const Dtype dtype = value.scalar_type();
    const bool is_known = dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16;
    return value.detach().to(at::kCPU, is_known ? dtype : at::kFloat).contiguous();
}

}  // namespace

TensorStats compute_stats(const Tensor& value) {
    const Tensor x = readable(value);
    const TensorStats stats = one_pass_stats(x);
    if (stats.nan + stats.inf == 0) return stats;
    TensorStats finite = one_pass_stats(x.index({at::isfinite(x)}));
    finite.count = stats.count;
    finite.nan = stats.nan;
    finite.inf = stats.inf;
    return finite;
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
