#include "core/models/cogvideox/vae.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/cogvideox/tiling.h"

namespace kinescope::cogvideox {

namespace {

constexpr std::int64_t kLatentFramesOfChunk = 2;
/// Epsilon of the decoder's norms. The config's norm_eps does not apply to them.
constexpr double kSpatialNormEps = 1e-6;

std::vector<FrameRange> chunk_ranges(std::int64_t latent_frames) {
    return frame_batches(latent_frames, kLatentFramesOfChunk);
}

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(causal_conv(scope / "decoder" / "conv_in", config.latent_channels, config.block_out_channels.back(),
                           precision)),
      norm_out_(scope / "decoder" / "norm_out",
                {.channels = config.block_out_channels.front(),
                 .groups = config.norm_num_groups,
                 .eps = kSpatialNormEps,
                 .latent_channels = config.latent_channels},
                precision),
      conv_out_(causal_conv(scope / "decoder" / "conv_out", config.block_out_channels.front(), 3, precision)) {
    const auto widest = config.block_out_channels.back();
    for (int i = 0; i < 2; ++i)
        mid_resnets_.emplace_back(scope / "decoder" / "mid_block" / "resnets" / i, resnet(widest, widest), precision);
    add_up_blocks(scope / "decoder" / "up_blocks");
}

ResnetConfig Vae::resnet(std::int64_t in, std::int64_t out) const {
    return {.in = in,
            .out = out,
            .norm = {
                .groups = config_.norm_num_groups, .eps = kSpatialNormEps, .latent_channels = config_.latent_channels}};
}

/// Adds the blocks from the widest level to the narrowest. All blocks except the last double the size; the first
/// kTemporalLevels blocks also double the number of frames.
void Vae::add_up_blocks(const WeightScope& scope) {
    const auto& widths = config_.block_out_channels;
    auto in = widths.back();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const auto out = widths[widths.size() - 1 - i];
        const auto block_scope = scope / static_cast<std::int64_t>(i);
        UpBlock block;
        for (std::int64_t j = 0; j <= config_.layers_per_block; ++j)
            block.resnets.emplace_back(block_scope / "resnets" / j, resnet(j == 0 ? in : out, out), precision_);
        if (i + 1 < widths.size()) {
            const auto mode = i < kTemporalLevels ? Resampling::space_and_time : Resampling::space;
            block.upsampler.emplace(block_scope / "upsamplers" / 0, ResamplerConfig{out, mode}, precision_);
        }
        up_blocks_.push_back(std::move(block));
        in = out;
    }
}

Tensor Vae::run_decoder(const Tensor& latents, ConvHistory& history, const ForwardContext& context) const {
    const ChunkInput input{.latents = latents, .history = history, .context = context};
    const auto in_op = context.op("decoder.conv_in", precision_);
    auto x = conv_in_(latents, history.of(conv_in_), in_op);
    context.observe("decoder.conv_in", x, in_op);
    x = x.to(at::kFloat);
    for (const auto& resnet : mid_resnets_) x = resnet.forward(x, input);
    context.observe("decoder.mid_block", x);
    for (std::size_t i = 0; i < up_blocks_.size(); ++i) {
        for (const auto& resnet : up_blocks_[i].resnets) x = resnet.forward(x, input);
        if (up_blocks_[i].upsampler) x = up_blocks_[i].upsampler->forward(x, context);
        context.observe("decoder.up_blocks." + std::to_string(i), x);
    }
    const auto out_op = context.op("decoder.conv_out", precision_);
    x = conv_out_(norm_out_.silu(x, latents, out_op), history.of(conv_out_), out_op);
    context.observe("decoder.conv_out", x, out_op);
    return x.to(at::kFloat);
}

Vae::Chunks Vae::chunks_of(const Tensor& latents, const ForwardContext& context) const {
    return {context, precision_,
            [this, latents](std::int64_t index, ConvHistory& history, const ForwardContext& chunk_context) {
                const auto range = chunk_ranges(latents.size(0))[static_cast<std::size_t>(index)];
                return run_decoder(latents.narrow(0, range.begin, range.count), history, chunk_context);
            }};
}

void Vae::decode_tiles(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) const {
    const auto axes = decoder_tiles(config_);
    std::vector<std::vector<Chunks>> tiles;
    for (const auto& row : tile_grid(axes, latents.size(1), latents.size(2))) {
        tiles.emplace_back();
        for (const auto& [begin, size] : row) {
            const auto tile = latents.narrow(1, begin[0], size[0]).narrow(2, begin[1], size[1]).contiguous();
            tiles.back().push_back(chunks_of(tile, context));
        }
    }
    for (std::size_t i = 0; i < chunk_ranges(latents.size(0)).size(); ++i) {
        std::vector<std::vector<Tensor>> results;
        for (auto& row : tiles) {
            results.emplace_back();
            for (auto& tile : row) results.back().push_back(tile.next());
        }
        sink(join_tiles(axes, std::move(results)));
    }
}

void Vae::decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto frames =
        latents.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();  // [F, H, W, z]
    const bool is_tiled = tiling_ && needs_tiles(decoder_tiles(config_), frames.size(1), frames.size(2));
    if (is_tiled) return decode_tiles(frames, context, sink);
    auto chunks = chunks_of(frames, context);
    for (std::size_t i = 0; i < chunk_ranges(frames.size(0)).size(); ++i) sink(chunks.next());
}

int Vae::num_chunks(const Tensor& latents) const {
    return static_cast<int>(chunk_ranges(latents.size(2)).size());
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    decode_raw(latents * (1.0 / config_.scaling_factor), context, [&](const Tensor& chunk) {
        sink(clamped_frames(chunk.div(2.0).add_(0.5), 0.0, 1.0).cpu().contiguous());
    });
}

}  // namespace kinescope::cogvideox
