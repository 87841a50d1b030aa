#include "core/models/wan/vae.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/chunk_loop.h"

namespace kinescope::wan {

namespace {

std::int64_t decoder_width(const VaeConfig& config, std::size_t level) {
    return config.decoder_base_dim * config.dim_mult[level];
}

std::int64_t widest_of_decoder(const VaeConfig& config) {
    return decoder_width(config, config.dim_mult.size() - 1);
}

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      post_quant_conv_(pointwise_conv(scope / "post_quant_conv", config.z_dim, config.z_dim, 3, precision)),
      conv_in_(scope / "decoder" / "conv_in", {.in = config.z_dim, .out = widest_of_decoder(config)}, precision),
      mid_block_(scope / "decoder" / "mid_block", widest_of_decoder(config), precision),
      norm_out_(scope / "decoder" / "norm_out", decoder_width(config, 0), ChannelNorm::Rank::video, precision),
      conv_out_(scope / "decoder" / "conv_out", {.in = decoder_width(config, 0), .out = config.patch_channels()},
                precision),
      latents_mean_(per_channel(config.latents_mean, precision.device)),
      latents_inverse_std_(per_channel(config.latents_std, precision.device).reciprocal()) {
    add_up_blocks(scope / "decoder" / "up_blocks");
}

/// Builds an up block. The outermost level has no upsampler. Only a residual VAE keeps the number of channels when
/// upsampling.
Vae::UpBlock Vae::up_block(const WeightScope& scope, const ResamplerConfig& config) const {
    UpBlock block;
    for (std::int64_t i = 0; i <= config_.num_res_blocks; ++i)
        block.resnets.emplace_back(scope / "resnets" / i, i == 0 ? config.in : config.out, config.out, precision_);
    if (config.factors.space == 1) return block;
    const auto upsampler = config_.is_residual ? scope / "upsampler" : scope / "upsamplers" / 0;
    const auto out = config_.is_residual ? config.out : config.out / 2;
    block.upsampler.emplace(upsampler, ResamplerConfig{.in = config.out, .out = out, .factors = config.factors},
                            precision_);
    if (config_.is_residual) block.shortcut = config;
    return block;
}

/// Adds the blocks from the widest level to the narrowest. In a VAE without shortcuts, upsamplers halve the number of
/// channels, so the next block has half as many inputs.
void Vae::add_up_blocks(const WeightScope& scope) {
    const auto levels = config_.dim_mult.size();
    auto in = widest_of_decoder(config_);
    for (std::size_t i = 0; i < levels; ++i) {
        const auto level = levels - 1 - i;
        const auto out = decoder_width(config_, level);
        const Factors factors{.time = level > 0 && config_.changes_time(level - 1) ? 2 : 1, .space = level > 0 ? 2 : 1};
        up_blocks_.push_back(
            up_block(scope / static_cast<std::int64_t>(i), {.in = in, .out = out, .factors = factors}));
        in = config_.is_residual ? out : out / 2;
    }
}

Tensor Vae::UpBlock::forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const {
    auto x = frames;
    for (std::size_t i = 0; i < resnets.size(); ++i) x = resnets[i].forward(x, state, (at / "resnets" / i).scope());
    if (upsampler) x = upsampler->forward(x, state, (at / (shortcut ? "upsampler" : "upsamplers.0")).scope());
    return shortcut ? x + growing_shortcut(frames, *shortcut, state) : x;
}

Tensor Vae::decode_chunk(const Tensor& latent_frame, ChunkState& state, const ForwardContext& context) const {
    const auto in_op = context.op("decoder.conv_in", precision_);
    auto x = conv_in_(post_quant_conv_(latent_frame, in_op), state.history(&conv_in_), in_op).to(at::kFloat);
    context.observe("decoder.conv_in", x, in_op);
    const BlockSite decoder{context, precision_, "decoder"};
    x = mid_block_.forward(x, state, decoder / "mid_block");
    context.observe("decoder.mid_block", x);
    const auto outermost = up_blocks_.size() - 1;
    for (std::size_t i = 0; i < outermost; ++i) x = run_up_block(i, x, state, decoder);
    std::vector<Tensor> pixels;
    for (const auto& frame : std::exchange(x, {}).split(1)) {
        const auto full = run_up_block(outermost, frame, state, decoder);
        pixels.push_back(to_pixels(full, state, context));
    }
    return at::cat(pixels);
}

Tensor Vae::run_up_block(std::size_t index, const Tensor& frames, ChunkState& state, const BlockSite& decoder) const {
    const auto at = decoder / "up_blocks" / index;
    const auto x = up_blocks_[index].forward(frames, state, at);
    decoder.context.observe(at.name, x);
    return x;
}

Tensor Vae::to_pixels(const Tensor& frames, ChunkState& state, const ForwardContext& context) const {
    const auto out_op = context.op("decoder.conv_out", precision_);
    const auto x = conv_out_(norm_out_.silu(frames), state.history(&conv_out_), out_op).to(at::kFloat);
    context.observe("decoder.conv_out", x, out_op);
    return unpatchify(x, config_.patch_size);
}

void Vae::decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto frames = latents.to(precision_.device).squeeze(0).permute({1, 2, 3, 0}).contiguous();  // [F, H, W, z]
    ChunkLoop<ChunkState> chunks(context, precision_,
                                 [&](std::int64_t index, ChunkState& state, const ForwardContext& chunk_context) {
                                     const auto chunk = decode_chunk(frames.narrow(0, index, 1), state, chunk_context);
                                     state.next_chunk();
                                     return chunk;
                                 });
    for (std::int64_t i = 0; i < frames.size(0); ++i) {
        sink(clamped_frames(chunks.next(), -1.0, 1.0));
    }
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto raw = latents.to(precision_.device, at::kFloat) / latents_inverse_std_ + latents_mean_;
    decode_raw(raw, context, [&](const Tensor& frames) { sink(frames.div(2.0).add_(0.5).cpu().contiguous()); });
}

}  // namespace kinescope::wan
