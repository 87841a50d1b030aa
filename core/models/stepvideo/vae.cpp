#include "core/models/stepvideo/vae.h"

#include <ATen/ATen.h>

namespace kinescope::stepvideo {

namespace {

constexpr double kSeamWeight = 0.6;
/// The number of extra leading frames that causal upsampling creates.
constexpr std::int64_t kSpareFrames = 3;

/// Loads the last convolution, the only one whose name in the published file does not contain "conv".
CausalConv3d last_conv(const WeightScope& scope, std::int64_t in, const Precision& precision) {
    if (scope.has("weight")) return CausalConv3d(scope, {.in = in, .out = 3}, precision);
    return video_conv(scope, in, 3, precision);
}

/// Returns the last frame of a chunk followed by the next chunk. Blends the two adjacent frames, the later one first.
Tensor mix_seam(const Tensor& last, const Tensor& chunk) {
    const auto first = chunk.narrow(0, 0, 1) * kSeamWeight + last * (1 - kSeamWeight);
    return at::cat({last * kSeamWeight + first * (1 - kSeamWeight), first, chunk.slice(0, 1)});
}

/// Converts frames from -1..1 to 0..1, on the CPU.
Tensor to_unit_range(const Tensor& frames) {
    return clamped_frames(frames, -1.0, 1.0).div(2.0).add_(0.5).cpu().contiguous();
}

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(video_conv(scope / "decoder" / "conv_in", config.z_channels, config.folded(), precision)),
      conv_unpatchify_(
          video_conv(scope / "decoder" / "conv_unpatchify" / "conv", config.folded(), 8 * config.widest(), precision)),
      mid_(scope / "decoder" / "mid", config.widest(), config.norm_num_groups, precision),
      norm_out_(frame_norm(scope / "decoder" / "norm_out", config.width(0), config.norm_num_groups, precision)),
      conv_out_(last_conv(scope / "decoder" / "conv_out", config.width(0), precision)) {
    for (auto level = config.ch_mult.size(); level-- > 0;)
        up_blocks_.push_back(up_block(scope / "decoder" / "up" / static_cast<std::int64_t>(level), level));
}

Vae::UpBlock Vae::up_block(const WeightScope& scope, std::size_t level) const {
    const auto groups = config_.norm_num_groups;
    const auto above = level + 1 < config_.ch_mult.size() ? config_.width(level + 1) : config_.widest();
    const auto width = config_.width(level);
    UpBlock made;
    for (std::int64_t i = 0; i <= config_.num_res_blocks; ++i)
        made.blocks.emplace_back(scope / "block" / i, ResidualBlock::Channels{i == 0 ? above : width, width, groups},
                                 precision_);
    if (level >= 2)
        made.upsampler_3d.emplace(scope / "upsample" / "conv3d", width, groups, precision_);
    else if (level == 1)
        made.upsampler_2d.emplace(scope / "upsample" / "conv", Conv2dConfig{.in = width, .out = width}, precision_);
    return made;
}

Tensor Vae::to_middle(const Tensor& latents, ChunkState& state, const ForwardContext& context) const {
    const auto in_op = context.op("decoder.conv_in", precision_);
    auto x =
        conv_in_(latents, state.history(conv_in_), in_op).to(at::kFloat) + repeat_channels(latents, config_.folded());
    context.observe("decoder.conv_in", x, in_op);
    const auto op = context.op("decoder.conv_unpatchify", precision_);
    const auto folded = conv_unpatchify_(x, state.history(conv_unpatchify_), op).to(at::kFloat);
    x = unfold(folded) + unfold(repeat_channels(x, 8 * config_.widest()));
    context.observe("decoder.conv_unpatchify", x, op);
    x = mid_.forward(x, state, {context, precision_, "decoder.mid_block"});
    context.observe("decoder.mid_block", x);
    return x;
}

Tensor Vae::upsample(Tensor frames, const UpBlock& block, ChunkState& state, const BlockSite& at) const {
    for (std::size_t i = 0; i < block.blocks.size(); ++i) {
        const auto residual = at / "block" / i;
        frames = block.blocks[i].forward(frames, state, residual.scope());
    }
    const auto upsampler = at / "upsample";
    if (block.upsampler_3d) return block.upsampler_3d->forward(frames, state, upsampler.scope());
    if (!block.upsampler_2d) return frames;
    const auto scope = upsampler.scope();
    const auto x = (*block.upsampler_2d)(enlarge(frames, 2), scope.op);
    scope.observe("conv", x);
    return x.to(at::kFloat);
}

Tensor Vae::to_pixels(Tensor frames, ChunkState& state, const ForwardContext& context) const {
    for (std::size_t i = 0; i < up_blocks_.size(); ++i) {
        const auto at = BlockSite{context, precision_, "decoder.up_blocks"} / i;
        frames = upsample(frames, up_blocks_[i], state, at);
        context.observe(at.name, frames);
    }
    const auto op = context.op("decoder.conv_out", precision_);
    const auto x = conv_out_(norm_out_.over_frame_silu(frames, op), state.history(conv_out_), op).to(at::kFloat);
    context.observe("decoder.conv_out", x, op);
    return x;
}

Tensor Vae::decode_chunk(const Tensor& latents, const ForwardContext& context) const {
    ChunkState state;
    const auto middle = to_middle(latents, state, context);
    std::vector<Tensor> pixels;
    for (std::int64_t i = 0; i < middle.size(0); ++i)
        pixels.push_back(to_pixels(middle.narrow(0, i, 1), state, context));
    return at::cat(pixels).slice(0, kSpareFrames);
}

int Vae::num_chunks(const Tensor& latents) const {
    return static_cast<int>((latents.size(2) + kChunkLatents - 1) / kChunkLatents);
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto all = latents.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();
    const auto parts = all.split(kChunkLatents);
    Tensor last;  // of the previous chunk, held back for blending
    for (std::size_t i = 0; i < parts.size(); ++i) {
        context.cancellation.throw_if_requested();
        Tensor chunk;
        context.probe.transact([&] { chunk = decode_chunk(parts[i], context); });
        if (last.defined()) chunk = mix_seam(last, chunk);
        const auto ready = i + 1 < parts.size() ? chunk.size(0) - 1 : chunk.size(0);
        last = chunk.slice(0, ready).clone();
        sink(to_unit_range(chunk.slice(0, 0, ready)));
    }
}

}  // namespace kinescope::stepvideo
