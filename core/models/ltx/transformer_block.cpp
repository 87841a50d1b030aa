#include "core/models/ltx/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/parameter.h"

namespace kinescope::ltx {

TransformerBlock::TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      eps_(config.norm_eps),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {6, config.dim()}), precision)),
      attn1_(scope / "attn1", config, precision),
      attn2_(scope / "attn2", config, precision),
      ff_(scope / "ff", {.dim = config.dim(), .inner_dim = 4 * config.dim()}, precision) {}

Tensor TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input,
                                 const ForwardContext& context) const {
    const auto rows = scale_shift_table_ + input.modulation;
    const auto m = [&](std::int64_t part) { return rows.select(1, part); };

    const auto attn1_site = name_ + ".attn1";
    const OpScope attn1_scope{context, attn1_site, context.op(attn1_site, precision_), SiteKind::attention};
    const auto attn1 =
        attn1_.attend_self(modulated_rms_norm(hidden_states, eps_, {.scale = m(1), .shift = m(0)}, input.segments),
                           input.rotary, attn1_scope);
    context.observe(attn1_site, attn1, attn1_scope.op, attn1_scope.kind);
    auto x = add_gated(hidden_states, attn1, m(2), input.segments);

    // Cross-attention to the text has neither a norm before it nor a gate after it.
    const auto attn2_site = name_ + ".attn2";
    const OpScope attn2_scope{context, attn2_site, context.op(attn2_site, precision_), SiteKind::attention};
    const auto attn2 = attn2_.attend_text(x, input.text, attn2_scope);
    context.observe(attn2_site, attn2, attn2_scope.op, attn2_scope.kind);
    x = x + attn2;

    const auto ff_site = name_ + ".ff";
    const OpScope ff_scope{context, ff_site, context.op(ff_site, precision_), SiteKind::feed_forward};
    const auto ff = ff_(modulated_rms_norm(x, eps_, {.scale = m(4), .shift = m(3)}, input.segments), ff_scope);
    context.observe(ff_site, ff, ff_scope.op);
    return add_gated(x, ff, m(5), input.segments);
}

}  // namespace kinescope::ltx
