#include "core/models/stepvideo/attention.h"

#include <ATen/ATen.h>

#include "core/models/observed_ops.h"

namespace kinescope::stepvideo {

namespace {

constexpr double kHeadNormEps = 1e-6;

Linear projection(const WeightScope& scope, std::int64_t dim, std::int64_t count, const Precision& precision) {
    return Linear(scope, {.in = dim, .out = count * dim, .bias = Bias::none}, precision);
}

}  // namespace

SelfAttention::SelfAttention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : num_heads_(config.num_attention_heads),
      wqkv_(projection(scope / "wqkv", config.dim(), 3, precision)),
      wo_(projection(scope / "wo", config.dim(), 1, precision)),
      q_norm_(scope / "q_norm", config.attention_head_dim, kHeadNormEps, precision),
      k_norm_(scope / "k_norm", config.attention_head_dim, kHeadNormEps, precision) {}

Tensor SelfAttention::operator()(const Tensor& x, const RotaryTable& rotary, const OpScope& scope) const {
    // query, key and value: [1, L, H, head_dim]
    const auto qkv = observed_linear("wqkv", wqkv_, x, scope).unflatten(-1, {num_heads_, -1}).chunk(3, -1);
    const auto attended = observed_attention({.query = apply_rotary(q_norm_(qkv[0]), rotary).transpose(1, 2),
                                              .key = apply_rotary(k_norm_(qkv[1]), rotary).transpose(1, 2),
                                              .value = qkv[2].transpose(1, 2),
                                              .bias = {},
                                              .scale = {}},
                                             scope);
    return observed_linear("wo", wo_, merge_heads(attended), scope);
}

CrossAttention::CrossAttention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : num_heads_(config.num_attention_heads),
      wq_(projection(scope / "wq", config.dim(), 1, precision)),
      wkv_(projection(scope / "wkv", config.dim(), 2, precision)),
      wo_(projection(scope / "wo", config.dim(), 1, precision)),
      q_norm_(scope / "q_norm", config.attention_head_dim, kHeadNormEps, precision),
      k_norm_(scope / "k_norm", config.attention_head_dim, kHeadNormEps, precision) {}

Tensor CrossAttention::operator()(const Tensor& x, const Tensor& context, const OpScope& scope) const {
    const auto key_value = observed_linear("wkv", wkv_, context, scope).unflatten(-1, {num_heads_, -1}).chunk(2, -1);
    const auto query = observed_linear("wq", wq_, x, scope).unflatten(-1, {num_heads_, -1});
    const auto attended = observed_attention({.query = q_norm_(query).transpose(1, 2),
                                              .key = k_norm_(key_value[0]).transpose(1, 2),
                                              .value = key_value[1].transpose(1, 2),
                                              .bias = {},
                                              .scale = {}},
                                             scope);
    return observed_linear("wo", wo_, merge_heads(attended), scope);
}

}  // namespace kinescope::stepvideo
