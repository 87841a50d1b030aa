#include "core/models/cogvideox/attention.h"

#include <ATen/ATen.h>

#include "core/models/observed_ops.h"
#include "core/nn/attention.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::cogvideox {

namespace {

/// Epsilon of the norms of queries and keys. The config's norm_eps does not apply to them.
constexpr double kHeadNormEps = 1e-6;

}  // namespace

Attention::Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : num_heads_(config.num_attention_heads),
      to_q_(scope / "to_q", {.in = config.dim(), .out = config.dim()}, precision),
      to_k_(scope / "to_k", {.in = config.dim(), .out = config.dim()}, precision),
      to_v_(scope / "to_v", {.in = config.dim(), .out = config.dim()}, precision),
      to_out_(scope / "to_out" / 0, {.in = config.dim(), .out = config.dim()}, precision),
      norm_q_(scope / "norm_q", config.attention_head_dim, kHeadNormEps, precision),
      norm_k_(scope / "norm_k", config.attention_head_dim, kHeadNormEps, precision) {}

Tensor Attention::split_and_rotate(const Tensor& projected, const LayerNorm& norm, const Tensor& rotary) const {
    const auto heads = norm(projected.unflatten(-1, {num_heads_, -1}));
    return (rotary.defined() ? apply_rotary(heads, rotary) : heads).transpose(1, 2);
}

Tensor Attention::operator()(const Tensor& x, std::int64_t first_query, const Tensor& rotary,
                             const OpScope& scope) const {
    const auto query = observed_linear("to_q", to_q_, x.slice(1, first_query), scope);
    const auto query_rotary = rotary.defined() ? rotary.slice(0, first_query) : rotary;
    const auto attended =
        observed_attention({.query = split_and_rotate(query, norm_q_, query_rotary),
                            .key = split_and_rotate(observed_linear("to_k", to_k_, x, scope), norm_k_, rotary),
                            .value = split_heads(observed_linear("to_v", to_v_, x, scope), num_heads_),
                            .bias = {},
                            .scale = {}},
                           scope);
    return observed_linear("to_out.0", to_out_, merge_heads(attended), scope);
}

}  // namespace kinescope::cogvideox
