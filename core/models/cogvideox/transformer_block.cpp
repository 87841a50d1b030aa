#include "core/models/cogvideox/transformer_block.h"

#include <ATen/ATen.h>

#include <utility>

namespace kinescope::cogvideox {

namespace {

/// x + update, the update's text and video rows times their gates. `update` is float32 and the caller's own.
Tensor add_gated(const Tensor& x, Tensor update, const ModulatedNorm::Result& gates, std::int64_t text_tokens) {
    update.narrow(1, 0, text_tokens).mul_(gates.text_gate);
    update.slice(1, text_tokens).mul_(gates.video_gate);
    return update.add_(x);
}

}  // namespace

Precision modulation_precision(Precision precision) {
    precision.compute = at::kFloat;
    return precision;
}

ModulatedNorm::ModulatedNorm(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : linear_(scope / "linear", {.in = config.time_embed_dim, .out = 6 * config.dim()},
              modulation_precision(precision)),
      norm_(scope / "norm", config.dim(), config.norm_eps, precision) {}

ModulatedNorm::Result ModulatedNorm::operator()(const Tensor& hidden_states, const BlockInput& input) const {
    // Shift, scale and gate of the video, then of the text.
    const auto m = linear_(input.time).unsqueeze(1).chunk(6, -1);
    auto normed = norm_(hidden_states);
    normed.slice(1, input.text_tokens).mul_(m[1] + 1.0).add_(m[0]);
    normed.narrow(1, 0, input.text_tokens).mul_(m[4] + 1.0).add_(m[3]);
    return {.normed = std::move(normed), .video_gate = m[2], .text_gate = m[5]};
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
    context.observe(name_ + ".ff.net.0", hidden, in_op);
    hidden = at::gelu_(hidden, "tanh");
    const auto out_op = context.op(name_ + ".ff.net.2", precision_);
    const auto out = ff_out_(hidden, out_op);
    context.observe(name_ + ".ff.net.2", out, out_op);
    return out.to(at::kFloat);
}

Tensor TransformerBlock::forward(const Tensor& hidden_states, const BlockInput& input,
                                 const ForwardContext& context) const {
    const auto first = norm1_(hidden_states, input);
    const auto attn1_op = context.op(name_ + ".attn1", precision_);
    const auto attn1 = attn1_(first.normed, input.rotary, attn1_op);
    context.observe(name_ + ".attn1", attn1, attn1_op);
    const auto x = add_gated(hidden_states, attn1.to(at::kFloat), first, input.text_tokens);

    const auto second = norm2_(x, input);
    return add_gated(x, feed_forward(second.normed, context), second, input.text_tokens);
}

}  // namespace kinescope::cogvideox
