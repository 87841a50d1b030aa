#pragma once

#include <cstdint>
#include <vector>

#include "core/api/numeric_sample.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Number of values in a row of statistics: min, max, sum, Euclidean norm, NaN count, Inf count.
inline constexpr int kStatRowSize = 6;

/// How a row reports NaN and infinity.
enum class NonFinite {
    presence,  ///< shows them only as NaN or infinity in min and max; the counts stay 0. Needs only three reductions
    counts,    ///< counts them and replaces them with zeros for the other statistics
};

/// Reduces a floating-point tensor to one row, float32 [kStatRowSize], on its device without waiting for it. Avoids
/// float64, which MPS does not support. The fused kernel for CUDA counts NaN and infinity in both modes.
Tensor stat_row(const Tensor& value, NonFinite non_finite);

/// Returns the statistics in a row that was copied to the host. `count` is the number of elements of the tensor. With
/// NonFinite::presence, a count of 1 stands for any number of NaN or Inf.
TensorStats stats_of_row(const float* row, std::int64_t count);

/// Computes the statistics on the CPU. NaN and infinite elements are counted and otherwise ignored.
TensorStats compute_stats(const Tensor& value);

/// Returns log2(largest finite value of `dtype` / max_abs), the number of doublings until overflow: 0 to 200, never
/// NaN.
double headroom_stops(const TensorStats& stats, Dtype dtype);

/// Counts the values in `num_bins` equal bins over [low, high]. Values outside count in the first or last bin; NaN is
/// ignored.
std::vector<std::int64_t> histogram(const Tensor& value, int num_bins, double low, double high);

}  // namespace kinescope
