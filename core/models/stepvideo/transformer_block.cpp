#include "core/models/stepvideo/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/parameter.h"

namespace kinescope::stepvideo {

namespace {

constexpr double kNormEps = 1e-5;

}  // namespace

TransformerBlock::TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {6, config.dim()}), precision)),
      norm1_(scope / "norm1", config.dim(), kNormEps, precision),
      attn1_(scope / "attn1", config, precision),
      attn2_(scope / "attn2", config, precision),
      norm2_(scope / "norm2", config.dim(), kNormEps, precision),
      ff_(scope / "ff", {.dim = config.dim(), .inner_dim = 4 * config.dim(), .bias = Bias::none}, precision) {}

Tensor TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input,
                                 const ForwardContext& context) const {
    const auto m = (scale_shift_table_ + input.modulation).chunk(6, 1);
    const auto attn1_site = name_ + ".attn1";
    const OpScope attn1_scope{context, attn1_site, context.op(attn1_site, precision_), SiteKind::attention};
    const auto attn1 = attn1_(norm1_.modulated(hidden_states, {m[1]}, {m[0]}), input.rotary, attn1_scope);
    context.observe(attn1_site, attn1, attn1_scope.op, attn1_scope.kind);
    auto x = add_gated(hidden_states, attn1, {m[2]});

    const auto attn2_site = name_ + ".attn2";
    const OpScope attn2_scope{context, attn2_site, context.op(attn2_site, precision_), SiteKind::attention};
    const auto attn2 = attn2_(x, input.context, attn2_scope);
    context.observe(attn2_site, attn2, attn2_scope.op, attn2_scope.kind);
    x = x + attn2;

    const auto ffn_site = name_ + ".ffn";
    const OpScope ffn_scope{context, ffn_site, context.op(ffn_site, precision_), SiteKind::feed_forward};
    const auto ffn = ff_(norm2_.modulated(x, {m[4]}, {m[3]}), ffn_scope);
    context.observe(ffn_site, ffn, ffn_scope.op);
    return add_gated(x, ffn, {m[5]});
}

}  // namespace kinescope::stepvideo
