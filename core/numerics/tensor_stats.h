#pragma once

#include <cstdint>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Number of values in a row of statistics: min, max, sum, Euclidean norm, NaN count, Inf count.
inline constexpr int kStatRowSize = 6;

/// What a row is to tell of elements that are not finite.
enum class NonFinite {
    presence,  ///< min and max are NaN or Inf as soon as one element is; the counts stay 0. Three reductions
    counts,    ///< how many they are, and the rest with zeros in their place
};

/// Reduces a floating-point tensor to one row, float32 [kStatRowSize], on its own device and without waiting for it.
/// Nothing is float64: MPS has none.
Tensor stat_row(const Tensor& value, NonFinite non_finite);

/// A row that came to the host, of a tensor with `count` elements. Without counts, one NaN or Inf stands for all.
TensorStats stats_of_row(const float* row, std::int64_t count);

/// Statistics on the CPU. With non-finite elements, minimum to deviation are those of the finite ones.
TensorStats compute_stats(const Tensor& value);

/// log2(largest finite value of `dtype` / max_abs): how many doublings are left. Never NaN; at most 200.
double headroom_stops(const TensorStats& stats, Dtype dtype);

/// Counts of `num_bins` equal bins over [low, high]; what lies outside falls into the outermost bins, NaN nowhere.
std::vector<std::int64_t> histogram(const Tensor& value, int num_bins, double low, double high);

}  // namespace kinescope
