#include "core/models/cogvideox/vae.h"

#include <ATen/ATen.h>

#include <limits>
#include <utility>

#include "core/models/cogvideox/tiling.h"

namespace kinescope::cogvideox {

namespace {

constexpr std::int64_t kLatentFramesOfChunk = 2;
/// Of the norms in the decoder, whatever norm_eps says.
constexpr double kSpatialNormEps = 1e-6;

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

/// From the widest level to the narrowest. Every block but the last doubles the size, the first ones time as well.
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

Tensor Vae::decode_chunk(const Tensor& latents, ConvHistory& history, const ForwardContext& context) const {
    Tensor frames;
    ConvHistory after;
    context.probe.transact([&] {
        after = history;
        frames = run_decoder(latents, after, context);
    });
    history = std::move(after);
    return frames;
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
    x = norm_out_(x, latents, out_op);
    x = conv_out_(at::silu_(x), history.of(conv_out_), out_op);
    context.observe("decoder.conv_out", x, out_op);
    return x.to(at::kFloat);
}

Tensor Vae::decode_tiles(const Tensor& latents, std::vector<std::vector<ConvHistory>>& histories,
                         const ForwardContext& context) const {
    const auto axes = decoder_tiles(config_);
    const auto grid = tile_grid(axes, latents.size(1), latents.size(2));
    histories.resize(grid.size());
    std::vector<std::vector<Tensor>> results(grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
        histories[i].resize(grid[i].size());
        for (std::size_t j = 0; j < grid[i].size(); ++j) {
            const auto& [begin, size] = grid[i][j];
            const auto tile = latents.narrow(1, begin[0], size[0]).narrow(2, begin[1], size[1]).contiguous();
            results[i].push_back(decode_chunk(tile, histories[i][j], context));
        }
    }
    return join_tiles(axes, std::move(results));
}

void Vae::decode_raw(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto frames =
        latents.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();  // [F, H, W, z]
    const bool is_tiled = tiling_ && needs_tiles(decoder_tiles(config_), frames.size(1), frames.size(2));
    ConvHistory whole;
    std::vector<std::vector<ConvHistory>> of_tiles;
    for (const auto& range : frame_batches(frames.size(0), kLatentFramesOfChunk)) {
        context.cancellation.throw_if_requested();
        const auto chunk = frames.narrow(0, range.begin, range.count);
        sink(is_tiled ? decode_tiles(chunk, of_tiles, context) : decode_chunk(chunk, whole, context));
    }
}

int Vae::num_chunks(const Tensor& latents) const {
    return static_cast<int>(frame_batches(latents.size(2), kLatentFramesOfChunk).size());
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    decode_raw(latents * (1.0 / config_.scaling_factor), context, [&](const Tensor& chunk) {
        const auto frames = chunk.div(2.0).add_(0.5);
        // A clamp alone would turn Inf into white, and nobody after it could tell.
        sink(at::where(at::isfinite(frames), frames.clamp(0.0, 1.0), std::numeric_limits<double>::quiet_NaN())
                 .cpu()
                 .contiguous());
    });
}

}  // namespace kinescope::cogvideox
