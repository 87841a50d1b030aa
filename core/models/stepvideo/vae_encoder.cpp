#include "core/models/stepvideo/vae_encoder.h"

#include <ATen/ATen.h>

namespace kinescope::stepvideo {

VaeEncoder::VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(video_conv(scope / "encoder" / "conv_in", 3, config.width(0), precision)),
      mid_(scope / "encoder" / "mid", config.widest(), config.norm_num_groups, precision),
      norm_out_(frame_norm(scope / "encoder" / "norm_out", config.widest(), config.norm_num_groups, precision)),
      conv_patchify_(
          video_conv(scope / "encoder" / "conv_patchify" / "conv", config.widest(), config.folded() / 8, precision)),
      conv_out_(video_conv(scope / "encoder" / "conv_out", config.folded(), 2 * config.z_channels, precision)) {
    for (std::size_t level = 0; level < config.ch_mult.size(); ++level)
        down_blocks_.push_back(down_block(scope / "encoder" / "down" / static_cast<std::int64_t>(level), level));
}

VaeEncoder::DownBlock VaeEncoder::down_block(const WeightScope& scope, std::size_t level) const {
    const auto width = config_.width(level);
    const auto before = level == 0 ? width : config_.width(level - 1);
    DownBlock made;
    for (std::int64_t i = 0; i < config_.num_res_blocks; ++i)
        made.blocks.emplace_back(scope / "block" / i,
                                 ResidualBlock::Channels{i == 0 ? before : width, width, config_.norm_num_groups},
                                 precision_);
    if (level == 0)
        made.downsampler_2d.emplace(scope / "downsample" / "conv", Conv2dConfig{.in = width, .out = width}, precision_);
    else if (level + 1 < config_.ch_mult.size())
        made.downsampler_3d.emplace(video_conv(scope / "downsample" / "conv", width, width, precision_));
    return made;
}

/// Computes a convolution of stride 2 as every other result of a convolution of stride 1. The first downsampler pads
/// only on the right and below, so it takes the odd results of a convolution with symmetric padding.
Tensor VaeEncoder::downsample(Tensor frames, const DownBlock& block, ChunkState& state, const BlockSite& at) const {
    for (std::size_t i = 0; i < block.blocks.size(); ++i) {
        const auto residual = at / "block" / i;
        frames = block.blocks[i].forward(frames, state, residual.scope());
    }
    const auto downsampler = at / "downsample";
    const auto scope = downsampler.scope();
    if (block.downsampler_2d) {
        const auto convolved = (*block.downsampler_2d)(frames, scope.op);
        scope.observe("conv", convolved);
        return convolved.to(at::kFloat).slice(1, 1, {}, 2).slice(2, 1, {}, 2);
    }
    if (!block.downsampler_3d) return frames;
    const auto convolved = (*block.downsampler_3d)(frames, state.history(*block.downsampler_3d), scope.op);
    scope.observe("conv", convolved);
    return convolved.to(at::kFloat).slice(0, 0, {}, 2).slice(1, 0, {}, 2).slice(2, 0, {}, 2);
}

Tensor VaeEncoder::to_moments(const Tensor& frames, ChunkState& state, const ForwardContext& context) const {
    const auto patch_op = context.op("encoder.conv_patchify", precision_);
    auto x = norm_out_.over_frame_silu(frames, patch_op);
    const auto patches = conv_patchify_(x, state.history(conv_patchify_), patch_op).to(at::kFloat);
    x = fold(patches) + mean_channels(fold(x), config_.folded());
    context.observe("encoder.conv_patchify", x, patch_op);
    const auto op = context.op("encoder.conv_out", precision_);
    const auto moments =
        conv_out_(x, state.history(conv_out_), op).to(at::kFloat) + mean_channels(x, 2 * config_.z_channels);
    context.observe("encoder.conv_out", moments, op);
    return moments;
}

Tensor VaeEncoder::encode_chunk(const Tensor& pixels, const ForwardContext& context) const {
    ChunkState state;
    const auto in_op = context.op("encoder.conv_in", precision_);
    auto x = conv_in_(pixels, state.history(conv_in_), in_op).to(at::kFloat);
    context.observe("encoder.conv_in", x, in_op);
    for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
        const auto at = BlockSite{context, precision_, "encoder.down_blocks"} / i;
        x = downsample(x, down_blocks_[i], state, at);
        context.observe(at.name, x);
    }
    x = mid_.forward(x, state, {context, precision_, "encoder.mid_block"});
    context.observe("encoder.mid_block", x);
    return to_moments(x, state, context);
}

}  // namespace kinescope::stepvideo
