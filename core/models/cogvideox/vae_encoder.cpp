#include "core/models/cogvideox/vae_encoder.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/chunk_loop.h"

namespace kinescope::cogvideox {

namespace {

constexpr std::int64_t kFramesOfChunk = 8;
/// Epsilon of the last norm. The config's norm_eps does not apply to it.
constexpr double kLastNormEps = 1e-6;

}  // namespace

VaeEncoder::VaeEncoder(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(causal_conv(scope / "encoder" / "conv_in", 3, config.block_out_channels.front(), precision)),
      norm_out_(scope / "encoder" / "norm_out",
                {.channels = config.block_out_channels.back(), .groups = config.norm_num_groups, .eps = kLastNormEps},
                precision),
      conv_out_(causal_conv(scope / "encoder" / "conv_out", config.block_out_channels.back(),
                            2 * config.latent_channels, precision)) {
    add_down_blocks(scope / "encoder" / "down_blocks");
    const auto widest = config.block_out_channels.back();
    for (int i = 0; i < 2; ++i)
        mid_resnets_.emplace_back(scope / "encoder" / "mid_block" / "resnets" / i, resnet(widest, widest), precision);
}

ResnetConfig VaeEncoder::resnet(std::int64_t in, std::int64_t out) const {
    return {.in = in, .out = out, .norm = {.groups = config_.norm_num_groups, .eps = config_.norm_eps}};
}

/// Adds the blocks from the narrowest level to the widest. All blocks except the last halve the size; the first
/// kTemporalLevels blocks also halve the number of frames.
void VaeEncoder::add_down_blocks(const WeightScope& scope) {
    const auto& widths = config_.block_out_channels;
    auto in = widths.front();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto block_scope = scope / static_cast<std::int64_t>(i);
        DownBlock block;
        for (std::int64_t j = 0; j < config_.layers_per_block; ++j)
            block.resnets.emplace_back(block_scope / "resnets" / j, resnet(j == 0 ? in : widths[i], widths[i]),
                                       precision_);
        if (i + 1 < widths.size()) {
            const auto mode = i < kTemporalLevels ? Resampling::space_and_time : Resampling::space;
            block.downsampler.emplace(block_scope / "downsamplers" / 0, ResamplerConfig{widths[i], mode}, precision_);
        }
        down_blocks_.push_back(std::move(block));
        in = widths[i];
    }
}

Tensor VaeEncoder::encode_chunk(const Tensor& frames, ConvHistory& history, const ForwardContext& context) const {
    const Tensor no_latents;
    const ChunkInput input{.latents = no_latents, .history = history, .context = context};
    const auto in_op = context.op("encoder.conv_in", precision_);
    auto x = conv_in_(frames, history.of(conv_in_), in_op);
    context.observe("encoder.conv_in", x, in_op);
    x = x.to(at::kFloat);
    for (std::size_t i = 0; i < down_blocks_.size(); ++i) {
        for (const auto& resnet : down_blocks_[i].resnets) x = resnet.forward(x, input);
        if (down_blocks_[i].downsampler) x = down_blocks_[i].downsampler->forward(x, context);
        context.observe("encoder.down_blocks." + std::to_string(i), x);
    }
    for (const auto& resnet : mid_resnets_) x = resnet.forward(x, input);
    context.observe("encoder.mid_block", x);
    const auto out_op = context.op("encoder.conv_out", precision_);
    x = conv_out_(norm_out_.silu(x, no_latents, out_op), history.of(conv_out_), out_op);
    context.observe("encoder.conv_out", x, out_op);
    return x.to(at::kFloat);
}

Tensor VaeEncoder::moments(const Tensor& video, const ForwardContext& context) const {
    const auto frames = video.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();
    const auto ranges = frame_batches(frames.size(0), kFramesOfChunk);
    ChunkLoop<ConvHistory> chunks(
        context, precision_, [&](std::int64_t index, ConvHistory& history, const ForwardContext& chunk_context) {
            const auto& range = ranges[static_cast<std::size_t>(index)];
            return encode_chunk(frames.narrow(0, range.begin, range.count), history, chunk_context);
        });
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < ranges.size(); ++i) results.push_back(chunks.next());
    return at::cat(results).permute({3, 0, 1, 2}).unsqueeze(0).contiguous();
}

}  // namespace kinescope::cogvideox
