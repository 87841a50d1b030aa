#include "core/models/svd/unet_blocks.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/observed_ops.h"

namespace kinescope::svd {

namespace {

constexpr double kMidEps = 1e-5;

/// Resizes frames [F, H, W, C] by nearest neighbor.
Tensor resized_nearest(const Tensor& frames, std::int64_t height, std::int64_t width) {
    const auto planes = frames.permute({0, 3, 1, 2});
    return at::upsample_nearest2d(planes, {height, width}).permute({0, 2, 3, 1}).contiguous();
}

std::optional<ObservedConv> make_sampler(const WeightScope& scope, const std::string& name,
                                         const UNetBlock::Config& config, const Precision& precision) {
    if (config.sampler == UNetBlock::Config::Sampler::none) return std::nullopt;
    const auto channels = config.resnets.back().out;
    const bool is_down = config.sampler == UNetBlock::Config::Sampler::down;
    const std::string list = is_down ? "downsamplers" : "upsamplers";
    return ObservedConv(scope / list / 0 / "conv", name + "." + list + ".0",
                        {.in = channels, .out = channels, .stride = is_down ? 2 : 1}, precision);
}

ResBlockConfig mid_resnet(const UNetConfig& config) {
    const auto channels = config.levels.back().channels;
    return {.in = channels,
            .out = channels,
            .time_embed_dim = config.time_embed_dim(),
            .eps = kMidEps,
            .temporal_eps = kMidEps};
}

}  // namespace

ObservedConv::ObservedConv(const WeightScope& scope, std::string name, const Conv2dConfig& config,
                           const Precision& precision)
    : name_(std::move(name)), precision_(precision), conv_(scope, config, precision) {}

Tensor ObservedConv::forward(const Tensor& frames, const ForwardContext& context) const {
    return observed_op(context, name_, precision_, [&](const auto& op) { return conv_(frames, op); }).to(at::kFloat);
}

Tensor ObservedConv::after_norm(const GroupNorm& norm, const Tensor& frames, const ForwardContext& context) const {
    return observed_op(context, name_, precision_,
                       [&](const auto& op) { return conv_(norm.over_frame_silu(frames, op), op); })
        .to(at::kFloat);
}

Tensor ObservedConv::resize(const Tensor& frames, std::int64_t height, std::int64_t width,
                            const ForwardContext& context) const {
    const bool is_doubled = height == 2 * frames.size(1) && width == 2 * frames.size(2);
    if (!is_doubled) return forward(resized_nearest(frames, height, width), context);
    return observed_op(context, name_, precision_, [&](const auto& op) { return conv_.enlarged(frames, op); })
        .to(at::kFloat);
}

UNetBlock::UNetBlock(const WeightScope& scope, const std::string& name, const Config& config,
                     const Precision& precision)
    : sampler_(make_sampler(scope, name, config, precision)) {
    for (std::size_t i = 0; i < config.resnets.size(); ++i) {
        const auto number = std::to_string(i);
        resnets_.emplace_back(scope / "resnets" / number, name + ".resnets." + number, config.resnets[i], precision);
        if (config.attention)
            attentions_.emplace_back(scope / "attentions" / number, name + ".attentions." + number, *config.attention,
                                     precision);
    }
}

Tensor UNetBlock::run_layer(std::size_t layer, Tensor frames, const UNetBlockInput& input,
                            const ForwardContext& context) const {
    const auto x = resnets_[layer].forward(std::move(frames), input.time, context);
    return attentions_.empty() ? x : attentions_[layer].forward(x, input.context_token, context);
}

Tensor UNetBlock::forward_down(Tensor frames, std::vector<Tensor>& skips, const UNetBlockInput& input,
                               const ForwardContext& context) const {
    for (std::size_t i = 0; i < resnets_.size(); ++i) {
        frames = run_layer(i, frames, input, context);
        skips.push_back(frames);
    }
    if (!sampler_) return frames;
    skips.push_back(sampler_->forward(frames, context));
    return skips.back();
}

Tensor UNetBlock::forward_up(Tensor frames, std::vector<Tensor>& skips, const UNetBlockInput& input,
                             const ForwardContext& context) const {
    for (std::size_t i = 0; i < resnets_.size(); ++i) {
        frames = run_layer(i, at::cat({frames, skips.back()}, -1), input, context);
        skips.pop_back();
    }
    if (!sampler_) return frames;
    return sampler_->resize(frames, skips.back().size(1), skips.back().size(2), context);
}

UNetMidBlock::UNetMidBlock(const WeightScope& scope, const UNetConfig& config, const Precision& precision)
    : first_(scope / "resnets" / 0, "mid_block.resnets.0", mid_resnet(config), precision),
      attention_(scope / "attentions" / 0, "mid_block.attentions.0", attention_config(config, config.levels.back()),
                 precision),
      second_(scope / "resnets" / 1, "mid_block.resnets.1", mid_resnet(config), precision) {}

Tensor UNetMidBlock::forward(const Tensor& frames, const UNetBlockInput& input, const ForwardContext& context) const {
    const auto x = first_.forward(frames, input.time, context);
    return second_.forward(attention_.forward(x, input.context_token, context), input.time, context);
}

SpatioTemporalTransformerConfig attention_config(const UNetConfig& config, const UNetLevel& level) {
    return {.channels = level.channels,
            .num_heads = level.num_attention_heads,
            .num_layers = config.transformer_layers_per_block,
            .cross_attention_dim = config.cross_attention_dim};
}

}  // namespace kinescope::svd
