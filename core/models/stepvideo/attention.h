#pragma once

#include "core/models/stepvideo/config.h"
#include "core/models/stepvideo/position_embedding.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope::stepvideo {

/// Self-attention. wqkv contains queries, keys and values head by head; queries and keys are normalized within the
/// head, then rotated. Inner sites: "wqkv", "product" (softmax times values), "wo".
class SelfAttention {
public:
    SelfAttention() = default;
    SelfAttention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// Maps `x` [1, L, D] -> [1, L, D].
    Tensor operator()(const Tensor& x, const RotaryTable& rotary, const OpScope& scope) const;

private:
    std::int64_t num_heads_ = 1;
    Linear wqkv_, wo_;
    RMSNorm q_norm_, k_norm_;
};

/// Cross-attention to the prompt's states. wkv contains keys and values head by head. Inner sites: "wq", "wkv",
/// "product", "wo".
class CrossAttention {
public:
    CrossAttention() = default;
    CrossAttention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// Maps `x` [1, L, D] -> [1, L, D], with keys and values from `context` [1, n, D].
    Tensor operator()(const Tensor& x, const Tensor& context, const OpScope& scope) const;

private:
    std::int64_t num_heads_ = 1;
    Linear wq_, wkv_, wo_;
    RMSNorm q_norm_, k_norm_;
};

}  // namespace kinescope::stepvideo
