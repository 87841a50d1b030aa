#pragma once

#include <cstdint>

/// What a denoiser's block does to each token, in one pass over plain float32 memory: rows of `dim` floats.
namespace kinescope::row_kernels {

/// y = (x - mean) / sqrt(variance + eps) * factor + offset; mean and variance of the row, the others of each column.
void layer_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor,
                const float* offset, float* y);

/// y = x / sqrt(mean(x^2) + eps) * factor, which is of each column.
void rms_norm(const float* x, std::int64_t rows, std::int64_t dim, float eps, const float* factor, float* y);

/// y = x + update * gate, which is of each column.
void add_gated(const float* x, const float* update, std::int64_t rows, std::int64_t dim, const float* gate, float* y);

}  // namespace kinescope::row_kernels
