#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// Modulation values that depend on the timestep, float32 [C]. One row for all tokens, or one for the first tokens
/// (text before a video, given frames) and one for the others.
struct TokenRows {
    Tensor others;
    Tensor first = {};
    std::int64_t first_tokens = 0;
};

/// Undefined weight and bias stand for 1 and 0.
struct LayerNormParameters {
    const Tensor& weight;
    const Tensor& bias;
    double eps = 1e-6;
};

/// layer_norm(x) * (1 + scale) + shift over the last dimension; x [1, L, C] of any dtype. Returns float32. One pass on
/// the CPU.
Tensor modulated_layer_norm(const Tensor& x, const LayerNormParameters& norm, const TokenRows& scale,
                            const TokenRows& shift);

/// x + update * gate; x [1, L, C] float32, `update` of any dtype. Returns float32. One pass on the CPU.
Tensor add_gated(const Tensor& x, const Tensor& update, const TokenRows& gate);

}  // namespace kinescope
