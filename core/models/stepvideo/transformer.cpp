#include "core/models/stepvideo/transformer.h"

#include <ATen/ATen.h>

#include "core/api/error.h"
#include "core/nn/norm.h"
#include "core/nn/parameter.h"

namespace kinescope::stepvideo {

namespace {

constexpr double kOutputNormEps = 1e-6;

/// Loads the patch embedding. Its convolution over 1x1 patches is a matrix product over pixels.
Linear pixel_linear(const WeightScope& scope, const TransformerConfig& config, const Precision& precision) {
    const auto weight = scope.take("weight", {config.dim(), config.in_channels, 1, 1});
    return Linear(weight.defined() ? weight.flatten(1) : weight, scope.take("bias", {config.dim()}), precision,
                  scope.path("weight"));
}

}  // namespace

Transformer::Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      pos_embed_(pixel_linear(scope / "pos_embed" / "proj", config, precision)),
      condition_embedder_(scope, config, precision),
      blocks_(scope, precision, config.num_layers,
              [=](std::int64_t i) {
                  return TransformerBlock(scope / "transformer_blocks" / i, "blocks." + std::to_string(i), config,
                                          precision);
              }),
      scale_shift_table_(to_float32(scope.take("scale_shift_table", {2, config.dim()}), precision)),
      proj_out_(scope / "proj_out", {.in = config.dim(), .out = config.out_channels}, float32_compute(precision)) {}

const RotaryTable& Transformer::rotary(const Tensor& latents) {
    const TokenGrid grid{latents.size(2), latents.size(3), latents.size(4)};
    if (grid != rotary_grid_) {
        rotary_ = rotary_table(grid, config_.rope_channel_split, result_dtype(precision_));
        rotary_.cos = rotary_.cos.to(precision_.device);
        rotary_.sin = rotary_.sin.to(precision_.device);
        rotary_grid_ = grid;
    }
    return rotary_;
}

Tensor Transformer::embed(const Tensor& latents, const ForwardContext& context) const {
    if (latents.dim() != 5 || latents.size(0) != 1 || latents.size(1) != config_.in_channels)
        throw Error(ErrorCode::bad_request, "Latents of " + std::to_string(latents.size(1)) +
                                                " channels do not fit this model; it takes " +
                                                std::to_string(config_.in_channels));
    const auto pixels = latents.to(precision_.device).permute({0, 2, 3, 4, 1}).flatten(1, 3);  // [1, L, C]
    const auto op = context.op("pos_embed", precision_);
    const auto hidden_states = pos_embed_(pixels, op).to(at::kFloat);
    context.observe("pos_embed", hidden_states, op);
    return hidden_states;
}

/// Projects the tokens to the output channels. The modulation uses the time embedding before its activation.
Tensor Transformer::head(const Tensor& hidden_states, const Tensor& temb) const {
    const auto m = (scale_shift_table_ + temb.unsqueeze(1)).chunk(2, 1);
    return proj_out_(modulated_layer_norm(hidden_states, {.eps = kOutputNormEps}, {m[1]}, {m[0]}));
}

Tensor Transformer::predict(const DenoiseInput& input, const ForwardContext& context) {
    const auto& conditioning = input.conditioning;
    const auto& clip =
        input.branch == Branch::cond ? conditioning.prompt_embeds_2 : conditioning.negative_prompt_embeds_2;
    auto hidden_states = embed(input.latents, context);
    const auto time = condition_embedder_.time(input.timestep, context);
    const auto texts = condition_embedder_.texts(clip, conditioning.prompt(input.branch), context);
    const auto& turns = rotary(input.latents);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const auto& block = blocks_[i];
        hidden_states =
            block.forward(hidden_states, {.modulation = time.modulation, .rotary = turns, .context = texts}, context);
        context.observe(block.name(), hidden_states);
    }
    const auto pixels = head(hidden_states, time.temb);
    context.observe("proj_out", pixels);
    const auto sizes = input.latents.sizes();
    return pixels.view({1, sizes[2], sizes[3], sizes[4], config_.out_channels}).permute({0, 4, 1, 2, 3}).contiguous();
}

}  // namespace kinescope::stepvideo
