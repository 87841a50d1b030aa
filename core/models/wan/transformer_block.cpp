#include "core/models/wan/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/parameter.h"

namespace kinescope::wan {

Tensor modulated_norm(const Tensor& x, const Tensor& shift, const Tensor& scale, double eps) {
    return layer_norm(x, eps).mul_(scale + 1.0).add_(shift);
}

TransformerBlock::TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      eps_(config.eps),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {1, 6, config.dim()}), precision)),
      attn1_(scope / "attn1", config, precision),
      norm2_(scope / "norm2", config.dim(), config.eps, precision),
      attn2_(scope / "attn2", config, precision),
      ffn_(scope / "ffn", {.dim = config.dim(), .inner_dim = config.ffn_dim}, precision) {}

Tensor TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input,
                                 const ForwardContext& context) const {
    const auto m = (scale_shift_table_ + input.modulation).chunk(6, 1);
    const auto attn1_op = context.op(name_ + ".attn1", precision_);
    const auto attn1 = attn1_.attend_self(modulated_norm(hidden_states, m[0], m[1], eps_), input.rotary, attn1_op);
    context.observe(name_ + ".attn1", attn1, attn1_op);
    auto x = hidden_states + attn1 * m[2];

    const auto attn2 = attn2_.attend_text(norm2_(x), input.text, input.key_bias, input.attn2_op);
    context.observe(name_ + ".attn2", attn2, input.attn2_op);
    x = x + attn2;

    const auto ffn_op = context.op(name_ + ".ffn", precision_);
    const auto ffn = ffn_(modulated_norm(x, m[3], m[4], eps_), ffn_op);
    context.observe(name_ + ".ffn", ffn, ffn_op);
    return x + ffn * m[5];
}

}  // namespace kinescope::wan
