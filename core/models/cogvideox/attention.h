#pragma once

#include "core/models/cogvideox/config.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope::cogvideox {

/// Self-attention over text and video tokens. Queries and keys are normalized within each head. Inner sites: "to_q",
/// "to_k", "to_v", "product", "to_out.0".
class Attention {
public:
    Attention() = default;
    Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Maps `x` [1, L, D] -> [1, L - first_query, D] in the op's dtype. Only the tokens from index `first_query` are
    /// queries. `rotary` [L, head_dim / 2] rotates queries and keys; if it is undefined, they are not rotated.
    Tensor operator()(const Tensor& x, std::int64_t first_query, const Tensor& rotary, const OpScope& scope) const;

private:
    /// Splits the heads, then normalizes and rotates them: [1, L, D] -> [1, H, L, head_dim], float32.
    Tensor split_and_rotate(const Tensor& projected, const LayerNorm& norm, const Tensor& rotary) const;

    std::int64_t num_heads_ = 1;
    Linear to_q_, to_k_, to_v_, to_out_;
    LayerNorm norm_q_, norm_k_;
};

}  // namespace kinescope::cogvideox
