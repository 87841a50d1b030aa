#include "core/models/ltx/vae.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/device/rng.h"
#include "core/models/ltx/vae_encoder.h"
#include "core/models/numbered.h"
#include "core/models/tiling.h"
#include "core/nn/parameter.h"

namespace kinescope::ltx {

namespace {

constexpr std::int64_t kTimeFrequenciesOfHead = 256;

std::int64_t outermost_width(const VaeConfig& config) {
    return config.decoder_levels.back().out;
}

/// The size and the stride of the reference's tiles in px.
constexpr std::int64_t kTileSide = 512;
constexpr std::int64_t kTileStride = 448;

std::array<TileAxis, 2> square_tiles(std::int64_t compression) {
    const TileAxis axis{.size = std::max<std::int64_t>(kTileSide / compression, 1),
                        .stride = std::max<std::int64_t>(kTileStride / compression, 1),
                        .blend = kTileSide - kTileStride,
                        .keep = kTileStride};
    return {axis, axis};
}

/// Reads a stored number. Returns 1 if `scope` contains no values yet.
float take_number(const WeightScope& scope, const char* name) {
    const auto value = scope.take(name, {});
    return value.defined() ? value.to(at::kFloat).item<float>() : 1.0F;
}

/// The noise of all tiles: one stream, as in the reference. Each attempt of a tile begins where the tile before ended.
class TileNoise {
public:
    TileNoise(std::uint64_t seed, std::map<std::string, Tensor>& record) : source_(seed), record_(record) {}

    PlaneNoise begin(std::size_t tile) {
        if (tile == starts_.size()) starts_.push_back({source_.snapshot(), drawn_});
        source_.restore(starts_.at(tile).state);
        drawn_ = starts_.at(tile).drawn;
        return [this](std::int64_t rows, std::int64_t columns) {
            return record_[numbered("decoder_noise", drawn_++)] = source_.normal({rows, columns});
        };
    }

private:
    struct Start {
        Tensor state;
        int drawn = 0;  ///< planes before
    };

    NoiseSource source_;
    std::map<std::string, Tensor>& record_;
    std::vector<Start> starts_;
    int drawn_ = 0;
};

}  // namespace

Vae::Vae(const WeightScope& scope, const VaeConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(scope / "decoder" / "conv_in" / "conv", "decoder.conv_in",
               {.in = config.latent_channels, .out = config.decoder_width}, TimePadding::centered, precision),
      mid_block_(scope / "decoder" / "mid_block",
                 resnet(config.decoder_width, config.decoder_width, config.decoder_mid_noise),
                 config.decoder_mid_layers, precision),
      conv_out_(scope / "decoder" / "conv_out" / "conv", "decoder.conv_out",
                {.in = outermost_width(config), .out = config.patch_channels()}, TimePadding::centered, precision),
      latents_mean_(take_channels(scope, "latents_mean", config.latent_channels, precision)),
      latents_std_(take_channels(scope, "latents_std", config.latent_channels, precision)) {
    const auto decoder = scope / "decoder";
    for (std::size_t i = 0; i < config.decoder_levels.size(); ++i)
        up_blocks_.push_back(up_block(decoder / "up_blocks" / static_cast<std::int64_t>(i), config.decoder_levels[i]));
    if (!config.timestep_conditioning) return;
    const auto width = outermost_width(config);
    time_embedder_.emplace(decoder / "time_embedder" / "timestep_embedder", kTimeFrequenciesOfHead, 2 * width,
                           precision);
    scale_shift_table_ = to_float32(decoder.take("scale_shift_table", {2, width}), precision);
    timestep_multiplier_ = take_number(decoder, "timestep_scale_multiplier");
}

ResnetConfig Vae::resnet(std::int64_t in, std::int64_t out, NoiseInjection noise) const {
    return {.in = in,
            .out = out,
            .shortcut_eps = config_.resnet_eps,
            .padding = TimePadding::centered,
            .noise = noise,
            .timestep = config_.timestep_conditioning ? TimestepUse::present : TimestepUse::none};
}

Vae::UpBlock Vae::up_block(const WeightScope& scope, const DecoderLevel& level) const {
    UpBlock block{
        .conv_in = {},
        .upsampler = {},
        .resnets = ResnetStack(scope, resnet(level.out, level.out, level.noise), level.num_layers, precision_)};
    if (level.in != level.out)
        block.conv_in.emplace(scope / "conv_in", resnet(level.in, level.out, level.noise), precision_);
    if (level.upsamples)
        block.upsampler.emplace(scope / "upsamplers" / 0, level.out * level.upsampling.factor, level.upsampling,
                                precision_);
    return block;
}

Tensor Vae::head(const Tensor& frames, const BlockRun& run) const {
    if (!time_embedder_) return conv_out_.forward(pixel_norm_silu(frames, {}, {}), run.context);
    const auto rows = (*time_embedder_)(run.timestep).view({2, -1}) + scale_shift_table_;
    return conv_out_.forward(pixel_norm_silu(frames, rows[1], rows[0]), run.context);
}

Tensor Vae::run_decoder(const Tensor& latents, const BlockRun& run) const {
    auto x = conv_in_.forward(latents, run.context);
    x = mid_block_.forward(std::move(x), run);
    run.context.observe("decoder.mid_block", x);
    for (std::size_t i = 0; i < up_blocks_.size(); ++i) {
        const auto& block = up_blocks_[i];
        if (block.conv_in) x = block.conv_in->forward(x, {}, run);
        if (block.upsampler) x = block.upsampler->forward(std::exchange(x, {}), run.context);
        x = block.resnets.forward(std::move(x), run);
        run.context.observe("decoder.up_blocks." + std::to_string(i), x);
    }
    return from_patches(head(x, run), config_.patch_size);
}

Tensor Vae::decode_raw(const Tensor& latents, double timestep, const std::function<PlaneNoise()>& noise,
                       const ForwardContext& context) const {
    const auto frames = latents.to(precision_.device, at::kFloat).squeeze(0).permute({1, 2, 3, 0}).contiguous();
    const double scaled = static_cast<float>(timestep) * timestep_multiplier_;
    Tensor pictures;
    context.probe.transact([&] {
        const auto planes = noise();
        pictures = run_decoder(frames, {.context = context, .timestep = scaled, .noise = planes});
    });
    return pictures;
}

Tensor Vae::with_noise(const Tensor& latents) const {
    if (!noise_.latents_noise.defined()) return latents;
    const auto noise = noise_.latents_noise.to(latents.device());
    return latents * (1.0 - noise_.noise_scale) + noise * noise_.noise_scale;
}

Tensor Vae::decode_by_tiles(const Tensor& latents, const std::function<PlaneNoise(std::size_t tile)>& noise,
                            const ForwardContext& context) const {
    const auto axes = square_tiles(config_.spatial_compression);
    std::size_t tile = 0;
    const auto begin_noise = [&] { return noise(tile); };
    if (!tiling_ || !needs_tiles(axes, latents.size(3), latents.size(4)))
        return decode_raw(latents, noise_.timestep, begin_noise, context);
    std::vector<std::vector<Tensor>> tiles;
    for (const auto& row : tile_grid(axes, latents.size(3), latents.size(4))) {
        tiles.emplace_back();
        for (const auto& [begin, size] : row) {
            tiles.back().push_back(decode_raw(latents.narrow(3, begin[0], size[0]).narrow(4, begin[1], size[1]),
                                              noise_.timestep, begin_noise, context));
            ++tile;
        }
    }
    return join_tiles(axes, std::move(tiles));
}

void Vae::decode(const Tensor& latents, const ForwardContext& context, const ChunkSink& sink) {
    const auto raw = latents.to(precision_.device, at::kFloat) * latents_std_ / config_.scaling_factor + latents_mean_;
    const auto mixed = with_noise(raw);
    record_ = {{"latents_decode", mixed.cpu()}, {"decode_noise", noise_.latents_noise}};
    TileNoise noise(noise_.seed, record_);
    const auto begin_noise = [&](std::size_t tile) { return noise.begin(tile); };
    auto pictures = decode_by_tiles(mixed, begin_noise, context).div_(2.0).add_(0.5);
    // Infinity becomes NaN, because clamping would turn it into white, which the frame check cannot detect.
    pictures = at::where(at::isfinite(pictures), pictures.clamp(0.0, 1.0), std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t first = 0; first < pictures.size(0);) {
        const auto count = first == 0 ? 1 : config_.temporal_compression;
        sink(pictures.narrow(0, first, count).cpu().contiguous());
        first += count;
    }
}

}  // namespace kinescope::ltx
