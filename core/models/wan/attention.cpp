#include "core/models/wan/attention.h"

#include <ATen/ATen.h>

#include "core/nn/attention.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::wan {

Attention::Attention(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : num_heads_(config.num_attention_heads),
      to_q_(scope / "to_q", {.in = config.dim(), .out = config.dim()}, precision),
      to_k_(scope / "to_k", {.in = config.dim(), .out = config.dim()}, precision),
      to_v_(scope / "to_v", {.in = config.dim(), .out = config.dim()}, precision),
      to_out_(scope / "to_out" / 0, {.in = config.dim(), .out = config.dim()}, precision),
      norm_q_(scope / "norm_q", config.dim(), config.eps, precision),
      norm_k_(scope / "norm_k", config.dim(), config.eps, precision) {}

Tensor Attention::rotated(const Tensor& normalised, const Tensor& rotary) const {
    return apply_rotary(normalised.unflatten(-1, {num_heads_, -1}), rotary).transpose(1, 2);
}

Tensor Attention::attend_self(const Tensor& x, const Tensor& rotary, const OpPrecision& op) const {
    const auto attended = scaled_dot_product_attention({.query = rotated(norm_q_(to_q_(x, op)), rotary),
                                                        .key = rotated(norm_k_(to_k_(x, op)), rotary),
                                                        .value = split_heads(to_v_(x, op), num_heads_),
                                                        .bias = {},
                                                        .scale = {}},
                                                       op);
    return to_out_(merge_heads(attended), op);
}

KeyValue Attention::project_text(const Tensor& text, const OpPrecision& op) const {
    return {split_heads(norm_k_(to_k_(text, op)).to(op.compute), num_heads_), split_heads(to_v_(text, op), num_heads_)};
}

Tensor Attention::attend_text(const Tensor& x, const KeyValue& text, const Tensor& key_bias,
                              const OpPrecision& op) const {
    const auto attended = scaled_dot_product_attention({.query = split_heads(norm_q_(to_q_(x, op)), num_heads_),
                                                        .key = text.key,
                                                        .value = text.value,
                                                        .bias = key_bias,
                                                        .scale = {}},
                                                       op);
    return to_out_(merge_heads(attended), op);
}

}  // namespace kinescope::wan
