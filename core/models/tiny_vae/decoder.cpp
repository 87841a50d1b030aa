#include "core/models/tiny_vae/decoder.h"

#include <ATen/ATen.h>

#include <string>

#include "core/models/video_vae.h"

namespace kinescope::tiny_vae {

namespace {

constexpr std::int64_t kBlocksOfLevel = 3;
constexpr std::int64_t kLayersOfLevel = 6;  ///< in the file: blocks, enlargement, time, convolution
constexpr std::int64_t kFirstBlock = 3;
constexpr std::int64_t kToPixels = 22;

/// A convolution without a bias in the file.
Conv2d without_bias(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision) {
    return Conv2d(scope.take("weight", {config.out, config.in, config.kernel, config.kernel}),
                  at::zeros({config.out}, at::kFloat), precision, scope.path("weight"));
}

std::string site_of(std::int64_t layer) {
    return "decoder." + std::to_string(layer);
}

/// [T, H, W, 3 p p] -> [T, H p, W p, 3], channels outermost within a patch.
Tensor from_patches(const Tensor& frames, std::int64_t p) {
    const auto t = frames.size(0), h = frames.size(1), w = frames.size(2);
    return frames.reshape({t, h, w, 3, p, p}).permute({0, 1, 4, 2, 5, 3}).reshape({t, h * p, w * p, 3});
}

}  // namespace

Decoder::Decoder(const WeightScope& scope, const Config& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      first_(scope / "decoder" / 1, {.in = config.latent_channels, .out = config.widths.front()}, precision),
      to_pixels_(scope / "decoder" / kToPixels,
                 {.in = config.widths.back(), .out = 3 * config.patch_size * config.patch_size}, precision) {
    for (std::size_t i = 0; i < config.time_factors.size(); ++i) levels_.push_back(level(scope / "decoder", i));
}

Decoder::Level Decoder::level(const WeightScope& decoder, std::size_t index) const {
    const auto width = config_.widths[index];
    const auto at = kFirstBlock + kLayersOfLevel * static_cast<std::int64_t>(index);
    Level level{.frames = config_.time_factors[index]};
    for (std::int64_t i = 0; i < kBlocksOfLevel; ++i) {
        const WeightScope convs = decoder / (at + i) / "conv";
        level.blocks.push_back({{Conv2d(convs / 0, {.in = 2 * width, .out = width}, precision_),
                                 Conv2d(convs / 2, {.in = width, .out = width}, precision_),
                                 Conv2d(convs / 4, {.in = width, .out = width}, precision_)}});
    }
    level.over_time = without_bias(decoder / (at + kBlocksOfLevel + 1) / "conv",
                                   {.in = width, .out = level.frames * width, .kernel = 1}, precision_);
    level.to_next =
        without_bias(decoder / (at + kBlocksOfLevel + 2), {.in = width, .out = config_.widths[index + 1]}, precision_);
    return level;
}

/// Each frame is joined with the block's input at the frame before.
Tensor Decoder::run_block(const MemoryBlock& block, const Tensor& frames, Tensor& past, const OpPrecision& op) const {
    const Tensor earliest = past.defined() ? past : at::zeros_like(frames.narrow(0, 0, 1));
    const Tensor before = at::cat({earliest, frames.slice(0, 0, -1)});
    past = frames.slice(0, -1).clone();
    Tensor x = block.convs[0](at::cat({frames, before}, -1), op).relu_();
    x = block.convs[1](x, op).relu_();
    return block.convs[2](x, op).add_(frames).relu_();
}

/// The 1x1 convolution makes the channels of all frames, earlier ones first. It runs before the enlargement, with which
/// it commutes.
Tensor Decoder::more_frames(const Level& level, const Tensor& frames, const Detail& detail,
                            const OpPrecision& op) const {
    const auto width = frames.size(-1);
    const Tensor channels = level.over_time(frames, op);
    if (detail.rate == FrameRate::low) return channels.narrow(-1, channels.size(-1) - width, width).contiguous();
    return channels.unflatten(-1, {level.frames, width}).permute({0, 3, 1, 2, 4}).flatten(0, 1).contiguous();
}

Tensor Decoder::decode(const Tensor& latent_frame, const Detail& detail, Past& past,
                       const ForwardContext& context) const {
    constexpr double kReach = 3;
    past.resize(levels_.size() * kBlocksOfLevel);
    const auto op_at = [&](std::int64_t layer) { return context.op(site_of(layer), precision_); };
    const OpPrecision first_op = op_at(1);
    const Tensor bounded = at::tanh(latent_frame.to(precision_.device, at::kFloat) / kReach) * kReach;
    Tensor x = first_(bounded.contiguous(), first_op).relu_();
    context.observe(site_of(1), x, first_op);
    for (std::size_t index = 0; index < levels_.size(); ++index) {
        const Level& level = levels_[index];
        const auto layer = kFirstBlock + kLayersOfLevel * static_cast<std::int64_t>(index);
        for (std::int64_t i = 0; i < kBlocksOfLevel; ++i) {
            const OpPrecision op = op_at(layer + i);
            x = run_block(level.blocks[static_cast<std::size_t>(i)], x,
                          past[index * kBlocksOfLevel + static_cast<std::size_t>(i)], op);
            context.observe(site_of(layer + i), x, op);
        }
        const OpPrecision op = op_at(layer + kBlocksOfLevel + 2);
        x = more_frames(level, x, detail, op);
        x = static_cast<int>(index) < detail.enlargements ? level.to_next.enlarged(x, op) : level.to_next(x, op);
        context.observe(site_of(layer + kBlocksOfLevel + 2), x, op);
    }
    const OpPrecision op = op_at(kToPixels);
    const Tensor pixels = to_pixels_(at::relu(x), op).to(at::kFloat);
    context.observe(site_of(kToPixels), pixels, op);
    return clamped_frames(from_patches(pixels, config_.patch_size), 0.0, 1.0);
}

}  // namespace kinescope::tiny_vae
