#include "core/models/svd/unet.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/api/error.h"

namespace kinescope::svd {

namespace {

// Epsilons of the norms. diffusers uses these values regardless of the config.
constexpr double kEps = 1e-6;
constexpr double kEpsOfPlainDownBlock = 1e-5;

ResBlockConfig resnet(const UNetConfig& config, std::int64_t in, std::int64_t out, double eps) {
    return {.in = in, .out = out, .time_embed_dim = config.time_embed_dim(), .eps = eps, .temporal_eps = eps};
}

UNetBlock::Config down_block(const UNetConfig& config, std::size_t index) {
    const auto& level = config.levels[index];
    const double eps = level.down_attention ? kEps : kEpsOfPlainDownBlock;
    const bool is_last = index + 1 == config.levels.size();
    UNetBlock::Config block{.sampler = is_last ? UNetBlock::Config::Sampler::none : UNetBlock::Config::Sampler::down};
    if (level.down_attention) block.attention = attention_config(config, level);
    auto in = config.levels[index == 0 ? 0 : index - 1].channels;
    for (std::int64_t i = 0; i < config.layers_per_block; ++i) {
        block.resnets.push_back(resnet(config, in, level.channels, eps));
        in = level.channels;
    }
    return block;
}

/// Returns the config of an up block, which has one residual block more than the down block. The input of each residual
/// block includes a skip; the last skip comes from the level below.
UNetBlock::Config up_block(const UNetConfig& config, std::size_t level_index) {
    const auto& level = config.levels[level_index];
    const auto last = config.levels.size() - 1;
    UNetBlock::Config block{.sampler =
                                level_index == 0 ? UNetBlock::Config::Sampler::none : UNetBlock::Config::Sampler::up};
    if (level.up_attention) block.attention = attention_config(config, level);
    auto in = config.levels[std::min(level_index + 1, last)].channels;
    const auto below = config.levels[level_index == 0 ? 0 : level_index - 1].channels;
    for (std::int64_t i = 0; i <= config.layers_per_block; ++i) {
        const auto skip = i == config.layers_per_block ? below : level.channels;
        block.resnets.push_back(resnet(config, in + skip, level.channels, kEps));
        in = level.channels;
    }
    return block;
}

/// Builds block `number` of a list, "down_blocks" or "up_blocks".
UNetBlock numbered_block(const WeightScope& scope, const std::string& list, std::int64_t number,
                         const UNetBlock::Config& config, const Precision& precision) {
    return UNetBlock(scope / list / number, list + "." + std::to_string(number), config, precision);
}

}  // namespace

UNet::UNet(const WeightScope& scope, const UNetConfig& config, const Precision& precision)
    : config_(config),
      precision_(precision),
      conv_in_(scope / "conv_in", "conv_in", {.in = config.in_channels, .out = config.levels.front().channels},
               precision),
      time_embedding_(scope / "time_embedding", config.levels.front().channels, config.time_embed_dim(), precision),
      add_embedding_(scope / "add_embedding", kAddedTimeIds * config.addition_time_embed_dim, config.time_embed_dim(),
                     precision),
      down_blocks_(scope, precision, config.num_levels(),
                   [=](std::int64_t i) {
                       return numbered_block(scope, "down_blocks", i, down_block(config, static_cast<std::size_t>(i)),
                                             precision);
                   }),
      mid_block_(scope / "mid_block", config, precision),
      up_blocks_(scope, precision, config.num_levels(),
                 [=](std::int64_t i) {
                     const auto level = static_cast<std::size_t>(config.num_levels() - 1 - i);
                     return numbered_block(scope, "up_blocks", i, up_block(config, level), precision);
                 }),
      conv_norm_out_(scope / "conv_norm_out",
                     {.channels = config.levels.front().channels, .groups = kNormGroups, .eps = 1e-5}, precision),
      conv_out_(scope / "conv_out", "conv_out", {.in = config.levels.front().channels, .out = config.out_channels},
                precision) {}

void UNet::check(const DenoiseInput& input) const {
    const auto& conditioning = input.conditioning;
    const bool is_complete = conditioning.image_embeds.defined() && conditioning.condition.defined() &&
                             conditioning.added_time_ids.defined();
    if (!is_complete) throw Error(ErrorCode::bad_request, "This model needs an image");
    const auto& latents = input.latents;
    const bool fits = latents.dim() == 5 && latents.size(0) == 1 && latents.size(1) == config_.out_channels &&
                      conditioning.condition.sizes() == latents.sizes() &&
                      conditioning.image_embeds.sizes() == at::IntArrayRef({1, 1, config_.cross_attention_dim}) &&
                      conditioning.added_time_ids.sizes() == at::IntArrayRef({1, kAddedTimeIds});
    if (!fits)
        throw Error(ErrorCode::bad_request,
                    "Latents of " + std::to_string(latents.numel()) + " values do not fit this model and its image");
}

Tensor UNet::embed_time(double timestep, const Tensor& added_time_ids, const ForwardContext& context) const {
    const auto time = time_embedding_(timestep);
    context.observe("time_embedding", time);
    const auto ids = added_time_ids.cpu().to(at::kDouble).contiguous();
    const std::vector<double> values(ids.const_data_ptr<double>(), ids.const_data_ptr<double>() + ids.numel());
    const auto sinusoids = sinusoidal_embeddings(values, config_.addition_time_embed_dim, precision_.device);
    const auto added = add_embedding_.project(sinusoids.view({1, -1}));
    context.observe("add_embedding", added);
    return at::silu(time + added);
}

Tensor UNet::run_blocks(Tensor frames, const UNetBlockInput& input, const ForwardContext& context) {
    std::vector<Tensor> skips{frames};
    for (std::size_t i = 0; i < down_blocks_.size(); ++i)
        frames = down_blocks_[i].forward_down(frames, skips, input, context);
    frames = mid_block_.forward(frames, input, context);
    for (std::size_t i = 0; i < up_blocks_.size(); ++i)
        frames = up_blocks_[i].forward_up(frames, skips, input, context);
    return frames;
}

Tensor UNet::head(const Tensor& frames, const ForwardContext& context) const {
    auto x = conv_norm_out_.over_frame(frames, {});
    context.observe("conv_norm_out", x);
    return conv_out_.forward(at::silu_(x), context);
}

Tensor UNet::predict(const DenoiseInput& input, const ForwardContext& context) {
    check(input);
    const auto& conditioning = input.conditioning;
    const auto shown = [&](const Tensor& value) {
        const auto x = value.to(precision_.device, at::kFloat);
        return input.branch == Branch::cond ? x : at::zeros_like(x);
    };
    const auto context_token = shown(conditioning.image_embeds);
    const auto image = shown(conditioning.condition);
    const auto time = embed_time(input.timestep, conditioning.added_time_ids, context);
    const auto frames = at::cat({input.latents.to(precision_.device), image}, 1).squeeze(0).permute({1, 2, 3, 0});
    const auto x = conv_in_.forward(frames.contiguous(), context);
    const auto out = head(run_blocks(x, {.time = time, .context_token = context_token}, context), context);
    return out.permute({3, 0, 1, 2}).unsqueeze(0);
}

}  // namespace kinescope::svd
