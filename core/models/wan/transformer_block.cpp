#include "core/models/wan/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/parameter.h"

namespace kinescope::wan {

TokenRows per_token(const Tensor& rows, std::int64_t clean_tokens) {
    if (rows.size(0) == 1) return {.others = rows[0]};
    return {.others = rows[0], .first = rows[1], .first_tokens = clean_tokens};
}

TransformerBlock::TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      eps_(config.eps),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {1, 6, config.dim()}), precision)),
      attn1_(scope / "attn1", config, Attention::ImageBranch::none, precision),
      norm2_(scope / "norm2", config.dim(), config.eps, precision),
      attn2_(scope / "attn2", config,
             config.has_image_branch() ? Attention::ImageBranch::present : Attention::ImageBranch::none, precision),
      ffn_(scope / "ffn", {.dim = config.dim(), .inner_dim = config.ffn_dim}, precision) {}

ObservedSum TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input,
                                      const ForwardContext& context) const {
    const auto rows = scale_shift_table_ + input.modulation;
    const auto m = [&](std::int64_t part) { return per_token(rows.select(1, part), input.clean_tokens); };
    const LayerNormParameters plain{.eps = eps_};
    const auto attn1_site = name_ + ".attn1";
    const OpScope attn1_scope{context, attn1_site, context.op(attn1_site, precision_), SiteKind::attention};
    const auto attn1 = attn1_.attend_self(
        modulated_layer_norm(hidden_states, plain, m(1), m(0), attn1_.self_input_dtype(attn1_scope.op)), input.rotary,
        attn1_scope);

    const auto attn2_site = name_ + ".attn2";
    const OpScope attn2_scope{context, attn2_site, input.attn2_op, SiteKind::attention};
    auto after_attn1 = add_observed_and_norm(
        hidden_states, attn1, m(2),
        {.parameters = norm2_.parameters(), .result = attn2_.context_input_dtype(attn2_scope.op)}, attn1_scope);
    const auto attn2 = attn2_.attend_context(after_attn1.normed, input.context, input.negative, attn2_scope);
    after_attn1.normed.reset();

    const auto ffn_site = name_ + ".ffn";
    const OpScope ffn_scope{context, ffn_site, context.op(ffn_site, precision_), SiteKind::feed_forward};
    const auto after_attn2 = add_observed_and_norm(
        after_attn1.value, attn2, {},
        {.parameters = plain, .scale = m(4), .shift = m(3), .result = ffn_.input_dtype(ffn_scope.op)}, attn2_scope);
    after_attn1.value.reset();  // the feed-forward layer needs the memory
    const auto ffn = ffn_(after_attn2.normed, ffn_scope);
    return add_observed(after_attn2.value, ffn, m(5), {context, ffn_site, ffn_scope.op});
}

}  // namespace kinescope::wan
