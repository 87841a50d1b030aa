#pragma once

#include <cstdint>

/// Normalization followed by silu, x / (1 + exp(-x)), in one pass over contiguous pixels of `channels` floats.
namespace kinescope::silu_kernels {

/// Computes y = silu(x / max(|x|, 1e-12) * gain), where |x| is the Euclidean length of a pixel. `gain` is per channel.
void unit_length(const float* x, std::int64_t pixels, std::int64_t channels, const float* gain, float* y);

/// Computes y = silu(x * scale + shift). `scale` and `shift` are per channel.
void scaled(const float* x, std::int64_t pixels, std::int64_t channels, const float* scale, const float* shift,
            float* y);

/// Adds the sums of (x - center) and of (x - center)^2 over all pixels to `sums` and `squares`. `center`, `sums` and
/// `squares` are per channel.
void add_moments(const float* x, std::int64_t pixels, std::int64_t channels, const float* center, double* sums,
                 double* squares);

/// Computes x = gelu(x) with the tanh approximation: x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3).
void gelu_tanh(float* x, std::int64_t count);

}  // namespace kinescope::silu_kernels
