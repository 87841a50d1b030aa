#include "core/models/cogvideox/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/cpu/gelu.h"
#include "core/nn/shadow.h"

namespace kinescope::cogvideox {

Precision modulation_precision(Precision precision) {
    precision.storage = plain_storage(precision);
    precision.compute = at::kFloat;
    return precision;
}

ModulatedNorm::ModulatedNorm(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : linear_(scope / "linear", {.in = config.time_embed_dim, .out = 6 * config.dim()},
              modulation_precision(precision)),
      norm_(scope / "norm", config.dim(), config.norm_eps, precision) {}

ModulatedNorm::Result ModulatedNorm::operator()(const Tensor& hidden_states, const BlockInput& input) const {
    // The modulation contains shift, scale and gate for the video, then for the text.
    const auto m = linear_(input.time).unsqueeze(1).chunk(6, -1);
    const auto rows = [&](std::size_t part) {
        return TokenRows{.others = m[part], .first = m[part + 3], .first_tokens = input.text_tokens};
    };
    return {.normed = norm_.modulated(hidden_states, rows(1), rows(0)), .gate = rows(2)};
}

TransformerBlock::TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      norm1_(scope / "norm1", config, precision),
      attn1_(scope / "attn1", config, precision),
      norm2_(scope / "norm2", config, precision),
      ff_in_(scope / "ff" / "net" / 0 / "proj", {.in = config.dim(), .out = 4 * config.dim()}, precision),
      ff_out_(scope / "ff" / "net" / 2, {.in = 4 * config.dim(), .out = config.dim()}, precision) {}

Tensor TransformerBlock::feed_forward(const Tensor& x, const ForwardContext& context) const {
    const auto in_op = context.op(name_ + ".ff.net.0", precision_);
    auto hidden = ff_in_(x, in_op);
    context.observe(name_ + ".ff.net.0", hidden, in_op, SiteKind::feed_forward);
    gelu_tanh_(hidden);
    const auto out_op = context.op(name_ + ".ff.net.2", precision_);
    const auto out = ff_out_(hidden, out_op);
    context.observe(name_ + ".ff.net.2", out, out_op, SiteKind::feed_forward);
    context.shadow(
        name_ + ".ff.net.2", out, out_op, [&] { return shadow_of(ff_out_, hidden, out, out_op); },
        SiteKind::feed_forward);
    return out;
}

Tensor TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input, Wanted wanted,
                                 const ForwardContext& context) const {
    const auto unwanted = wanted == Wanted::video ? input.text_tokens : 0;
    auto first = norm1_(hidden_states, input);
    const auto attn1_site = name_ + ".attn1";
    const OpScope attn1_scope{context, attn1_site, context.op(attn1_site, precision_), SiteKind::attention};
    const auto attn1 = attn1_(first.normed, unwanted, input.rotary, attn1_scope);
    context.observe(attn1_site, attn1, attn1_scope.op, attn1_scope.kind);
    first.gate.first_tokens -= unwanted;
    const auto x = add_gated(hidden_states.slice(1, unwanted), attn1, first.gate);

    const auto second =
        norm2_(x, {.time = input.time, .rotary = input.rotary, .text_tokens = input.text_tokens - unwanted});
    return add_gated(x, feed_forward(second.normed, context), second.gate);
}

}  // namespace kinescope::cogvideox
