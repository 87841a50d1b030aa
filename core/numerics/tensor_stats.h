#pragma once

#include <cstdint>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Number of values in a row of statistics: min, max, mean, standard deviation, NaN count, Inf count.
inline constexpr int kStatRowSize = 6;

/// Reduces a floating-point tensor to one row, double [kStatRowSize], on its own device and without waiting for it.
/// Minimum to deviation are NaN or Inf as soon as one element is: one reduction shows both.
Tensor stat_row(const Tensor& value);

/// Statistics on the CPU. With non-finite elements, minimum to deviation are those of the finite ones.
TensorStats compute_stats(const Tensor& value);

/// log2(largest finite value of `dtype` / max_abs): how many doublings are left. Never NaN; at most 200.
double headroom_stops(const TensorStats& stats, Dtype dtype);

/// Counts of `num_bins` equal bins over [low, high]; what lies outside falls into the outermost bins, NaN nowhere.
std::vector<std::int64_t> histogram(const Tensor& value, int num_bins, double low, double high);

}  // namespace kinescope
