#include "core/models/svd/vae.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "core/models/observed_ops.h"

namespace kinescope::svd {

namespace {

ResBlockConfig resnet(std::int64_t in, std::int64_t out) {
    return {
        .in = in, .out = out, .eps = kVaeEps, .temporal_eps = kVaeTemporalEps, .mix = ResBlockConfig::Mix::temporal};
}

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, std::int64_t chunk_size, const Precision& precision)
    : config_(config),
      chunk_size_(chunk_size),
      precision_(precision),
      conv_in_(scope / "decoder" / "conv_in", "decoder.conv_in",
               {.in = config.latent_channels, .out = config.block_out_channels.back()}, precision),
      mid_attention_(scope / "decoder" / "mid_block" / "attentions" / 0, "decoder.mid_block.attentions.0",
                     config.block_out_channels.back(), precision),
      conv_norm_out_(vae_norm(scope / "decoder" / "conv_norm_out", config.block_out_channels.front(), precision)),
      conv_out_(scope / "decoder" / "conv_out", "decoder.conv_out",
                {.in = config.block_out_channels.front(), .out = kColors}, precision),
      time_conv_out_(scope / "decoder" / "time_conv_out", kColors, kColors, precision) {
    const auto widest = config.block_out_channels.back();
    for (std::int64_t i = 0; i < config.layers_per_block; ++i)
        mid_resnets_.emplace_back(scope / "decoder" / "mid_block" / "resnets" / i,
                                  "decoder.mid_block.resnets." + std::to_string(i), resnet(widest, widest), precision);
    add_up_blocks(scope / "decoder" / "up_blocks");
}

/// Adds the blocks from the widest level to the narrowest. All except the last double the size.
void Vae::add_up_blocks(const WeightScope& scope) {
    const auto levels = config_.block_out_channels.size();
    auto in = config_.block_out_channels.back();
    for (std::size_t i = 0; i < levels; ++i) {
        const auto number = std::to_string(i);
        const auto name = "decoder.up_blocks." + number;
        const auto out = config_.block_out_channels[levels - 1 - i];
        UpBlock block;
        for (std::int64_t j = 0; j <= config_.layers_per_block; ++j)
            block.resnets.emplace_back(scope / number / "resnets" / j, name + ".resnets." + std::to_string(j),
                                       resnet(j == 0 ? in : out, out), precision_);
        if (i + 1 < levels)
            block.upsampler.emplace(scope / number / "upsamplers" / 0 / "conv", name + ".upsamplers.0",
                                    Conv2dConfig{.in = out, .out = out}, precision_);
        up_blocks_.push_back(std::move(block));
        in = out;
    }
}

/// Runs the middle block. Like diffusers, does not run the attention of a VAE with one layer, although its file
/// contains the weights.
Tensor Vae::run_mid_block(const Tensor& frames, const ForwardContext& context) const {
    auto x = mid_resnets_[0].forward(frames, {}, context);
    if (mid_resnets_.size() > 1) x = mid_resnets_[1].forward(mid_attention_.forward(x, context), {}, context);
    context.observe("decoder.mid_block", x);
    return x;
}

Tensor Vae::run_up_block(std::size_t index, Tensor frames, const ForwardContext& context) const {
    const auto& block = up_blocks_[index];
    for (const auto& resnet : block.resnets) frames = resnet.forward(std::exchange(frames, {}), {}, context);
    if (block.upsampler) frames = block.upsampler->resize(frames, 2 * frames.size(1), 2 * frames.size(2), context);
    context.observe("decoder.up_blocks." + std::to_string(index), frames);
    return frames;
}

Tensor Vae::head(const Tensor& frames, const ForwardContext& context) const {
    const auto x = conv_out_.after_norm(conv_norm_out_, frames, context);
    return observed_op(context, "decoder.time_conv_out", precision_,
                       [&](const auto& op) { return time_conv_out_(x, op); })
        .to(at::kFloat);
}

Tensor Vae::decode_chunk(const Tensor& latents, const ForwardContext& context) const {
    auto x = run_mid_block(conv_in_.forward(latents, context), context);
    for (std::size_t i = 0; i < up_blocks_.size(); ++i) x = run_up_block(i, std::exchange(x, {}), context);
    return head(x, context);
}

int Vae::num_chunks(const Tensor& latents) const {
    return static_cast<int>((latents.size(2) + chunk_size_ - 1) / chunk_size_);
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto frames = (latents.to(precision_.device, at::kFloat) * (1.0 / config_.scaling_factor))
                            .squeeze(0)
                            .permute({1, 2, 3, 0})
                            .contiguous();  // [F, h, w, C]
    for (std::int64_t first = 0; first < frames.size(0); first += chunk_size_) {
        context.cancellation.throw_if_requested();
        const auto count = std::min(chunk_size_, frames.size(0) - first);
        Tensor chunk;
        context.probe.transact([&] { chunk = decode_chunk(frames.narrow(0, first, count), context); });
        sink(clamped_frames(chunk.div(2.0).add_(0.5), 0.0, 1.0).cpu().contiguous());
    }
}

}  // namespace kinescope::svd
