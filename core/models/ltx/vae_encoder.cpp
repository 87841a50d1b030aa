#include "core/models/ltx/vae_encoder.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/nn/parameter.h"

namespace kinescope::ltx {

namespace {

constexpr double kSmallestLogvar = -30.0;
constexpr double kGreatestLogvar = 20.0;

std::int64_t innermost_width(const VaeConfig& config) {
    return config.encoder_levels.back().out;
}

ResnetConfig encoder_resnet(const VaeConfig& config, std::int64_t in, std::int64_t out) {
    return {.in = in, .out = out, .shortcut_eps = config.resnet_eps};
}

Precision on_cpu(Precision precision) {
    precision.device = Device(at::kCPU);
    return precision;
}

/// Stands for the decoder's noise. The encoder injects no noise, so its blocks never call this function.
const PlaneNoise kNoNoise;

}  // namespace

Tensor take_channels(const WeightScope& scope, const char* name, std::int64_t channels, const Precision& precision) {
    const auto values = to_float32(scope.take(name, {channels}), precision);
    return values.defined() ? values.view({1, channels, 1, 1, 1}) : values;
}

VaeEncoder::VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(scope / "encoder" / "conv_in" / "conv", "encoder.conv_in",
               {.in = config.patch_channels(), .out = config.encoder_width}, TimePadding::causal, precision),
      mid_block_(scope / "encoder" / "mid_block",
                 encoder_resnet(config, innermost_width(config), innermost_width(config)), config.encoder_mid_layers,
                 precision),
      conv_out_(scope / "encoder" / "conv_out" / "conv", "encoder.conv_out",
                {.in = innermost_width(config), .out = config.latent_channels + 1}, TimePadding::causal, precision),
      latents_mean_(take_channels(scope, "latents_mean", config.latent_channels, on_cpu(precision))),
      latents_std_(take_channels(scope, "latents_std", config.latent_channels, on_cpu(precision))) {
    for (std::size_t i = 0; i < config.encoder_levels.size(); ++i)
        down_blocks_.push_back(
            down_block(scope / "encoder" / "down_blocks" / static_cast<std::int64_t>(i), config.encoder_levels[i]));
}

VaeEncoder::DownBlock VaeEncoder::down_block(const WeightScope& scope, const EncoderLevel& level) const {
    DownBlock block{
        .resnets = ResnetStack(scope, encoder_resnet(config_, level.in, level.in), level.num_layers, precision_),
        .downsampler = {},
        .conv_out = {}};
    const bool moves_places = level.downsampling != Downsampling::none && level.downsampling != Downsampling::strided;
    if (level.downsampling != Downsampling::none)
        block.downsampler.emplace(scope / "downsamplers" / 0, level, precision_);
    if (!moves_places && level.in != level.out)
        block.conv_out.emplace(scope / "conv_out", encoder_resnet(config_, level.in, level.out), precision_);
    return block;
}

Tensor VaeEncoder::run_encoder(const Tensor& patches, const ForwardContext& context) const {
    const BlockRun run{.context = context, .timestep = 0, .noise = kNoNoise};
    auto x = conv_in_.forward(patches, context);
    for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
        const auto& block = down_blocks_[i];
        x = block.resnets.forward(std::move(x), run);
        if (block.downsampler) x = block.downsampler->forward(x, context);
        if (block.conv_out) x = block.conv_out->forward(x, {}, run);
        context.observe("encoder.down_blocks." + std::to_string(i), x);
    }
    x = mid_block_.forward(std::move(x), run);
    context.observe("encoder.mid_block", x);
    return conv_out_.forward(pixel_norm_silu(x, {}, {}), context);
}

Posterior VaeEncoder::encode(const Tensor& video, const ForwardContext& context) const {
    const auto frames = video.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();
    Tensor moments;
    context.probe.transact([&] { moments = run_encoder(to_patches(frames, config_.patch_size), context); });
    const auto latents = moments.cpu().permute({3, 0, 1, 2}).unsqueeze(0).contiguous();
    return {.mean = latents.narrow(1, 0, config_.latent_channels),
            .logvar = latents.narrow(1, config_.latent_channels, 1).clamp(kSmallestLogvar, kGreatestLogvar)};
}

Tensor VaeEncoder::normalized(const Tensor& latents) const {
    return (latents - latents_mean_) * config_.scaling_factor / latents_std_;
}

}  // namespace kinescope::ltx
