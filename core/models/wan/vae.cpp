#include "core/models/wan/vae.h"

#include <ATen/ATen.h>

#include <limits>

namespace kinescope::wan {

namespace {

std::int64_t widest(const VaeConfig& config) {
    return config.base_dim * config.dim_mult.back();
}

Tensor per_channel(const std::vector<double>& values, const Device& device) {
    return at::tensor(values, at::kFloat).view({1, -1, 1, 1, 1}).to(device);
}

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      post_quant_conv_(pointwise_conv(scope / "post_quant_conv", config.z_dim, config.z_dim, 3, precision)),
      conv_in_(scope / "decoder" / "conv_in", {.in = config.z_dim, .out = widest(config)}, precision),
      mid_attention_(scope / "decoder" / "mid_block" / "attentions" / 0, widest(config), precision),
      norm_out_(scope / "decoder" / "norm_out", config.base_dim * config.dim_mult.front(), ChannelNorm::Rank::video,
                precision),
      conv_out_(scope / "decoder" / "conv_out",
                {.in = config.base_dim * config.dim_mult.front(), .out = config.out_channels}, precision),
      latents_mean_(per_channel(config.latents_mean, precision.device)),
      latents_inverse_std_(per_channel(config.latents_std, precision.device).reciprocal()) {
    for (int i = 0; i < 2; ++i)
        mid_resnets_.emplace_back(scope / "decoder" / "mid_block" / "resnets" / i, widest(config), widest(config),
                                  precision);
    add_up_blocks(scope / "decoder" / "up_blocks");
}

/// From the widest level to the narrowest. An upsampler halves the channels, so the next block begins with half.
void Vae::add_up_blocks(const WeightScope& scope) {
    const auto levels = static_cast<std::int64_t>(config_.dim_mult.size());
    auto in = widest(config_);
    for (std::int64_t i = 0; i < levels; ++i) {
        const auto level = static_cast<std::size_t>(levels - 1 - i);
        const auto out = config_.base_dim * config_.dim_mult[level];
        UpBlock block;
        for (std::int64_t j = 0; j <= config_.num_res_blocks; ++j)
            block.resnets.emplace_back(scope / i / "resnets" / j, j == 0 ? in : out, out, precision_);
        if (level > 0) {
            const auto mode =
                config_.temporal_downsample[level - 1] ? Upsampler::Mode::space_and_time : Upsampler::Mode::space;
            block.upsampler.emplace(scope / i / "upsamplers" / 0, out, mode, precision_);
        }
        up_blocks_.push_back(std::move(block));
        in = out / 2;
    }
}

Tensor Vae::unpatchify(const Tensor& frames) const {
    const auto p = config_.patch_size;
    if (p == 1) return frames;
    // The channels of a patch lie (colour, column, row).
    const auto split = frames.unflatten(-1, {-1, p, p});
    return split.permute({0, 1, 5, 2, 4, 3}).flatten(3, 4).flatten(1, 2);
}

Tensor Vae::decode_chunk(const Tensor& latent_frame, DecoderState& state, const ForwardContext& context) const {
    const auto in_op = context.op("decoder.conv_in", precision_);
    auto x = conv_in_(post_quant_conv_(latent_frame, in_op), state.history(conv_in_), in_op).to(at::kFloat);
    context.observe("decoder.conv_in", x, in_op);
    const auto mid_op = context.op("decoder.mid_block", precision_);
    x = mid_resnets_[0].forward(x, state, mid_op);
    x = mid_resnets_[1].forward(mid_attention_.forward(x, mid_op), state, mid_op);
    context.observe("decoder.mid_block", x, mid_op);
    for (std::size_t i = 0; i < up_blocks_.size(); ++i) {
        const auto site = "decoder.up_blocks." + std::to_string(i);
        const auto op = context.op(site, precision_);
        for (const auto& resnet : up_blocks_[i].resnets) x = resnet.forward(x, state, op);
        if (up_blocks_[i].upsampler) x = up_blocks_[i].upsampler->forward(x, state, op);
        context.observe(site, x, op);
    }
    const auto out_op = context.op("decoder.conv_out", precision_);
    x = norm_out_(x);
    x = conv_out_(at::silu_(x), state.history(conv_out_), out_op).to(at::kFloat);
    context.observe("decoder.conv_out", x, out_op);
    return unpatchify(x);
}

void Vae::decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto frames = latents.to(precision_.device).squeeze(0).permute({1, 2, 3, 0}).contiguous();  // [F, H, W, z]
    DecoderState state;
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        context.cancellation.throw_if_requested();
        Tensor chunk;
        DecoderState after;
        context.probe.transact([&] {
            after = state;
            chunk = decode_chunk(frames.narrow(0, i, 1), after, context);
        });
        // A clamp alone would turn Inf into white, and nobody after it could tell.
        sink(at::where(at::isfinite(chunk), chunk.clamp(-1.0, 1.0), std::numeric_limits<double>::quiet_NaN()));
        state = std::move(after);
        state.next_chunk();
    }
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto raw = latents.to(precision_.device, at::kFloat) / latents_inverse_std_ + latents_mean_;
    decode_raw(raw, context, [&](const Tensor& frames) { sink(frames.div(2.0).add_(0.5).cpu().contiguous()); });
}

}  // namespace kinescope::wan
