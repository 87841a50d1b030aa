#include "core/numerics/tensor_stats.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "core/device/cuda/fused_kernels.h"
#include "core/device/dtype.h"
#include "core/numerics/cpu_stats.h"

namespace kinescope {

namespace {

Tensor row_of(const Tensor& x, const Tensor& nan, const Tensor& inf) {
    const auto [low, high] = at::aminmax(x);
    // Both functions accumulate in float32 without a float32 copy of the tensor.
    const Tensor sum = at::sum(x, at::kFloat);
    const Tensor norm = at::linalg_vector_norm(x, 2, at::OptionalIntArrayRef(), /*keepdim=*/false, at::kFloat);
    return at::stack({low.to(at::kFloat), high.to(at::kFloat), sum, norm, nan, inf});
}

}  // namespace

Tensor stat_row(const Tensor& value, NonFinite non_finite) {
    const Tensor x = value.detach();
    if (Tensor row = fused_statistics(x); row.defined()) return row;
    if (non_finite == NonFinite::presence) {
        const Tensor none = at::zeros({}, x.options().dtype(at::kFloat));
        return row_of(x, none, none);
    }
    const Tensor nan = at::isnan(x);
    const Tensor inf = at::isinf(x);
    return row_of(x.masked_fill(at::logical_or(nan, inf), 0), at::sum(nan, at::kFloat), at::sum(inf, at::kFloat));
}

TensorStats stats_of_row(const float* row, std::int64_t count) {
    TensorStats stats{.count = count, .min = row[0], .max = row[1]};
    const double n = static_cast<double>(std::max<std::int64_t>(count, 1));
    stats.max_abs = std::max(std::abs(stats.min), std::abs(stats.max));
    stats.mean = row[2] / n;
    stats.std = std::sqrt(std::max(0.0, double{row[3]} * row[3] / n - stats.mean * stats.mean));
    stats.nan = std::isnan(row[0]) ? 1 : static_cast<std::int64_t>(row[4]);
    stats.inf = std::isinf(row[0]) || std::isinf(row[1]) ? 1 : static_cast<std::int64_t>(row[5]);
    return stats;
}

namespace {

/// Converts to a contiguous CPU tensor that one_pass_stats supports.
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
