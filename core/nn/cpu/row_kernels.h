#pragma once

#include <cstdint>

/// Operations that a denoiser block applies to each token, in one pass over contiguous rows of `dim` floats.
namespace kinescope::row_kernels {

/// Computes y = (x - mean) / sqrt(variance + eps) * factor + offset. Mean and variance are per row; `factor` and
/// `offset` are per column.
void layer_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor,
                const float* offset, float* y);

/// Computes y = x / sqrt(mean(x^2) + eps) * factor, with the mean per row and `factor` per column.
void rms_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor, float* y);

/// Computes y = x + update * gate, with `gate` per column.
void add_gated(const float* x, const float* update, std::int64_t rows, std::int64_t dim, const float* gate, float* y);

}  // namespace kinescope::row_kernels
