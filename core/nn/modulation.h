#pragma once

#include <cstdint>

#include "core/device/cuda/fused_kernels.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Modulation values that depend on the timestep, float32 [C]: one row for all tokens, or one row for the first tokens
/// (text before a video, given frames) and one for the others.
struct TokenRows {
    Tensor others;
    Tensor first = {};
    std::int64_t first_tokens = 0;
};

/// The parameters of a layer norm. An undefined weight stands for 1, an undefined bias for 0.
struct LayerNormParameters {
    Tensor weight = {};
    Tensor bias = {};
    double eps = 1e-6;
};

/// Returns layer_norm(x) * (1 + scale) + shift over the last dimension, computed in float32 and converted to `result`.
/// `x` is [1, L, C] of any dtype. Takes one pass over memory on the CPU, and on CUDA with a fused kernel.
Tensor modulated_layer_norm(const Tensor& x, const LayerNormParameters& norm, const TokenRows& scale,
                            const TokenRows& shift, Dtype result = at::kFloat);

/// Returns x + update * gate in float32. `x` is [1, L, C] float32, `update` may have any dtype. An undefined gate
/// stands for 1. Takes one pass over memory on the CPU.
Tensor add_gated(const Tensor& x, const Tensor& update, const TokenRows& gate);

/// Computes add_gated with the statistics of the update and the sum, in one pass over memory. The result is undefined
/// if no fused kernel does that here.
FusedSum add_gated_with_statistics(const Tensor& x, const Tensor& update, const TokenRows& gate);

/// The layer norm after a sum. An undefined scale and shift stand for no modulation.
struct FollowingNorm {
    LayerNormParameters parameters;
    TokenRows scale = {}, shift = {};
    Dtype result = at::kFloat;
};

/// Computes add_gated and the norm of the sum in one pass over memory. Everything is undefined if no fused kernel does
/// that here.
FusedSumNorm add_gated_and_norm(const Tensor& x, const Tensor& update, const TokenRows& gate, const FollowingNorm& norm,
                                SumStatistics statistics);

}  // namespace kinescope
