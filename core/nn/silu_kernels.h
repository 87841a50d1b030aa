#pragma once

#include <cstdint>

/// Normalised values through x / (1 + exp(-x)) in one pass, on plain float32 memory: pixels of `channels` floats.
namespace kinescope::silu_kernels {

/// y = silu(x / max(|x|, 1e-12) gain), |x| being the length of a pixel. `gain`: of each channel.
void unit_length(const float* x, std::int64_t pixels, std::int64_t channels, const float* gain, float* y);

/// y = silu(x scale + shift), both of each channel.
void scaled(const float* x, std::int64_t pixels, std::int64_t channels, const float* scale, const float* shift,
            float* y);

/// Sums of (x - centre) and of its square over the pixels, of each channel. `centre`, `sums`, `squares`: of each
/// channel; added to what they hold.
void add_moments(const float* x, std::int64_t pixels, std::int64_t channels, const float* centre, double* sums,
                 double* squares);

/// x = x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3): gelu by its approximation with tanh.
void gelu_tanh(float* x, std::int64_t count);

}  // namespace kinescope::silu_kernels
