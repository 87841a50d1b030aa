#include "core/models/wan/vae_encoder.h"

#include <ATen/ATen.h>

#include "core/models/chunk_loop.h"

namespace kinescope::wan {

namespace {

std::int64_t encoder_width(const VaeConfig& config, std::size_t level) {
    return config.base_dim * config.dim_mult[level];
}

std::int64_t widest_of_encoder(const VaeConfig& config) {
    return encoder_width(config, config.dim_mult.size() - 1);
}

}  // namespace

VaeEncoder::VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(scope / "encoder" / "conv_in", {.in = config.patch_channels(), .out = config.base_dim}, precision),
      mid_block_(scope / "encoder" / "mid_block", widest_of_encoder(config), precision),
      norm_out_(scope / "encoder" / "norm_out", widest_of_encoder(config), ChannelNorm::Rank::video, precision),
      conv_out_(scope / "encoder" / "conv_out", {.in = widest_of_encoder(config), .out = 2 * config.z_dim}, precision),
      quant_conv_(pointwise_conv(scope / "quant_conv", 2 * config.z_dim, 2 * config.z_dim, 3, precision)),
      latents_mean_(per_channel(config.latents_mean, precision.device)),
      latents_inverse_std_(per_channel(config.latents_std, precision.device).reciprocal()) {
    add_levels(scope / "encoder" / "down_blocks");
}

void VaeEncoder::add_levels(const WeightScope& scope) {
    auto in = config_.base_dim;
    for (std::size_t level = 0; level < config_.dim_mult.size(); ++level) {
        const auto out = encoder_width(config_, level);
        const ResamplerConfig shape{
            .in = in,
            .out = out,
            .factors = {.time = config_.changes_time(level) ? 2 : 1, .space = config_.changes_space(level) ? 2 : 1}};
        if (config_.is_residual)
            down_blocks_.push_back(residual_level(scope / static_cast<std::int64_t>(level), shape));
        else
            add_flat_level(scope, shape);
        in = out;
    }
}

/// Builds a level with a shortcut as one block.
VaeEncoder::DownBlock VaeEncoder::residual_level(const WeightScope& scope, const ResamplerConfig& config) const {
    DownBlock block{.resnets = {}, .downsampler = {}, .shortcut = config};
    for (std::int64_t i = 0; i < config_.num_res_blocks; ++i)
        block.resnets.emplace_back(scope / "resnets" / i, i == 0 ? config.in : config.out, config.out, precision_);
    if (config.factors.space > 1)
        block.downsampler.emplace(scope / "downsampler",
                                  ResamplerConfig{.in = config.out, .out = config.out, .factors = config.factors},
                                  precision_);
    return block;
}

/// Adds the blocks of a level. Wan 2.1 numbers residual blocks and downsamplers consecutively.
void VaeEncoder::add_flat_level(const WeightScope& scope, const ResamplerConfig& config) {
    const auto next = [&] { return scope / static_cast<std::int64_t>(down_blocks_.size()); };
    for (std::int64_t i = 0; i < config_.num_res_blocks; ++i) {
        DownBlock block;
        block.resnets.emplace_back(next(), i == 0 ? config.in : config.out, config.out, precision_);
        down_blocks_.push_back(std::move(block));
    }
    if (config.factors.space == 1) return;
    DownBlock block;
    block.downsampler.emplace(next(), ResamplerConfig{.in = config.out, .out = config.out, .factors = config.factors},
                              precision_);
    down_blocks_.push_back(std::move(block));
}

Tensor VaeEncoder::DownBlock::forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const {
    auto x = frames;
    for (std::size_t i = 0; i < resnets.size(); ++i) x = resnets[i].forward(x, state, (at / "resnets" / i).scope());
    if (downsampler) x = downsampler->forward(x, state, (at / "downsampler").scope());
    return shortcut ? x + shrinking_shortcut(frames, *shortcut) : x;
}

Tensor VaeEncoder::encode_chunk(const Tensor& frames, ChunkState& state, const ForwardContext& context) const {
    const auto in_op = context.op("encoder.conv_in", precision_);
    auto x = conv_in_(patchify(frames, config_.patch_size), state.history(&conv_in_), in_op).to(at::kFloat);
    context.observe("encoder.conv_in", x, in_op);
    const BlockSite encoder{context, precision_, "encoder"};
    for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
        const auto at = encoder / "down_blocks" / i;
        x = down_blocks_[i].forward(x, state, at);
        context.observe(at.name, x);
    }
    x = mid_block_.forward(x, state, encoder / "mid_block");
    context.observe("encoder.mid_block", x);
    const auto out_op = context.op("encoder.conv_out", precision_);
    x = conv_out_(norm_out_.silu(x), state.history(&conv_out_), out_op).to(at::kFloat);
    context.observe("encoder.conv_out", x, out_op);
    const auto quant_op = context.op("encoder.quant_conv", precision_);
    x = quant_conv_(x, quant_op).to(at::kFloat);
    context.observe("encoder.quant_conv", x, quant_op);
    return x;
}

Tensor VaeEncoder::moments(std::int64_t num_frames, const FrameSource& frames, const ForwardContext& context) const {
    const auto step = config_.scale_factor_temporal();
    ChunkLoop<ChunkState> chunks(
        context, precision_, [&](std::int64_t index, ChunkState& state, const ForwardContext& chunk_context) {
            const auto pictures = index == 0 ? frames(0, 1) : frames(1 + (index - 1) * step, step);
            const auto chunk = encode_chunk(pictures.to(precision_.device, at::kFloat), state, chunk_context);
            state.next_chunk();
            return chunk;
        });
    std::vector<Tensor> results;
    for (std::int64_t i = 0; i < 1 + (num_frames - 1) / step; ++i) results.push_back(chunks.next());
    return at::cat(results).permute({3, 0, 1, 2}).unsqueeze(0).contiguous();
}

Tensor VaeEncoder::encode(std::int64_t num_frames, const FrameSource& frames, const ForwardContext& context) const {
    const auto mean = moments(num_frames, frames, context).narrow(1, 0, config_.z_dim);
    return (mean - latents_mean_) * latents_inverse_std_;
}

}  // namespace kinescope::wan
