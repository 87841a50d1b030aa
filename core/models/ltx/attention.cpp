#include "core/models/ltx/attention.h"

#include <ATen/ATen.h>

#include "core/models/observed_ops.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::ltx {

namespace {

/// Epsilon of the norms of queries and keys. The config's norm_eps does not apply to them.
constexpr double kQueryKeyEps = 1e-5;

/// Rotates `x` [1, L, D] over its whole width instead of head by head.
Tensor rotated(const Tensor& x, const Tensor& rotary) {
    return apply_rotary(x.unsqueeze(2), rotary).squeeze(2);
}

}  // namespace

Attention::Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : num_heads_(config.num_attention_heads),
      to_q_(scope / "to_q", {.in = config.dim(), .out = config.dim()}, precision),
      to_k_(scope / "to_k", {.in = config.dim(), .out = config.dim()}, precision),
      to_v_(scope / "to_v", {.in = config.dim(), .out = config.dim()}, precision),
      to_out_(scope / "to_out" / 0, {.in = config.dim(), .out = config.dim()}, precision),
      norm_q_(scope / "norm_q", config.dim(), kQueryKeyEps, precision),
      norm_k_(scope / "norm_k", config.dim(), kQueryKeyEps, precision) {}

Tensor Attention::attend_self(const Tensor& x, const Tensor& rotary, const OpScope& scope) const {
    const auto query = rotated(norm_q_(observed_linear("to_q", to_q_, x, scope)), rotary);
    const auto key = rotated(norm_k_(observed_linear("to_k", to_k_, x, scope)), rotary);
    const auto attended =
        observed_attention({.query = split_heads(query, num_heads_),
                            .key = split_heads(key, num_heads_),
                            .value = split_heads(observed_linear("to_v", to_v_, x, scope), num_heads_),
                            .bias = {},
                            .scale = {}},
                           scope);
    return observed_linear("to_out.0", to_out_, merge_heads(attended), scope);
}

Tensor Attention::attend_text(const Tensor& x, const Tensor& text, const OpScope& scope) const {
    const auto query = norm_q_(observed_linear("to_q", to_q_, x, scope));
    const auto key = norm_k_(observed_linear("to_k", to_k_, text, scope));
    const auto attended =
        observed_attention({.query = split_heads(query, num_heads_),
                            .key = split_heads(key, num_heads_),
                            .value = split_heads(observed_linear("to_v", to_v_, text, scope), num_heads_),
                            .bias = {},
                            .scale = {}},
                           scope);
    return observed_linear("to_out.0", to_out_, merge_heads(attended), scope);
}

}  // namespace kinescope::ltx
