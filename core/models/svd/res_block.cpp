#include "core/models/svd/res_block.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/models/observed_ops.h"
#include "core/nn/parameter.h"
#include "core/nn/shadow.h"

namespace kinescope::svd {

namespace {

GroupNorm group_norm(const WeightScope& scope, std::int64_t channels, double eps, const Precision& precision) {
    return {scope, {.channels = channels, .groups = kNormGroups, .eps = eps}, precision};
}

/// Loads the projection of the time embedding in float32, because it is small and shifts every value of the block.
std::optional<Linear> time_projection(const WeightScope& scope, const ResBlockConfig& config,
                                      const Precision& precision) {
    if (config.time_embed_dim == 0) return std::nullopt;
    return Linear(scope / "time_emb_proj", {.in = config.time_embed_dim, .out = config.out},
                  float32_compute(precision));
}

Tensor with_time(Tensor frames, const std::optional<Linear>& projection, const Tensor& time) {
    frames = frames.to(at::kFloat);
    return projection ? frames + (*projection)(time) : frames;
}

}  // namespace

TemporalConv::TemporalConv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision)
    : conv_(scope, {.in = in, .out = out, .kernel_time = 3, .kernel_space = 1}, precision) {}

Tensor mix_weight(const WeightScope& scope, const Precision& precision) {
    const auto factor = to_float32(scope.take("mix_factor", {1}), precision);
    return factor.defined() ? factor.sigmoid() : factor;
}

SpatialResBlock::SpatialResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                                 const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      norm1_(group_norm(scope / "norm1", config.in, config.eps, precision)),
      norm2_(group_norm(scope / "norm2", config.out, config.eps, precision)),
      conv1_(scope / "conv1", {.in = config.in, .out = config.out}, precision),
      conv2_(scope / "conv2", {.in = config.out, .out = config.out}, precision),
      time_emb_proj_(time_projection(scope, config, precision)) {
    if (config.in != config.out)
        conv_shortcut_.emplace(scope / "conv_shortcut", Conv2dConfig{.in = config.in, .out = config.out, .kernel = 1},
                               precision);
}

/// Computes the first half of the block. Processes large frames one by one, because their norm needs the most memory:
/// in a decoder's outermost level, it is twice as wide as the result.
Tensor SpatialResBlock::first_half(const Tensor& frames, const OpScope& scope) const {
    constexpr std::int64_t kLarge = std::int64_t{1} << 24;
    const auto at_once = frames.numel() < kLarge ? frames.size(0) : 1;
    Tensor result;
    for (std::int64_t i = 0; i < frames.size(0); i += at_once) {
        const auto x = norm1_.over_frame_silu(frames.narrow(0, i, at_once), i == 0 ? scope.op : OpPrecision{});
        const auto y = conv1_(x, scope.op);
        if (i == 0) scope.shadow("conv1", y, [&] { return shadow_of(conv1_, x, y, scope.op); });
        if (at_once == frames.size(0)) return y;
        if (i == 0) result = at::empty({frames.size(0), y.size(1), y.size(2), y.size(3)}, y.options());
        result.narrow(0, i, at_once).copy_(y);
    }
    return result;
}

Tensor SpatialResBlock::forward(const Tensor& frames, const Tensor& time, const ForwardContext& context) const {
    auto x = observed_op(context, name_ + ".conv1", precision_, [&](const auto& op) {
        return first_half(frames, {context, name_, op});
    });
    x = with_time(std::move(x), time_emb_proj_, time);
    x = observed_op(context, name_ + ".conv2", precision_,
                    [&](const auto& op) { return conv2_(norm2_.over_frame_silu(std::move(x), op), op); });
    if (!conv_shortcut_) return x.to(at::kFloat).add_(frames);
    const auto shortcut = observed_op(context, name_ + ".conv_shortcut", precision_,
                                      [&](const auto& op) { return (*conv_shortcut_)(frames, op); });
    return x.to(at::kFloat).add_(shortcut);
}

TemporalResBlock::TemporalResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                                   const Precision& precision)
    : name_(std::move(name)),
      precision_(precision),
      norm1_(group_norm(scope / "norm1", config.out, config.temporal_eps, precision)),
      norm2_(group_norm(scope / "norm2", config.out, config.temporal_eps, precision)),
      conv1_(scope / "conv1", config.out, config.out, precision),
      conv2_(scope / "conv2", config.out, config.out, precision),
      time_emb_proj_(time_projection(scope, config, precision)) {}

Tensor TemporalResBlock::forward(const Tensor& frames, const Tensor& time, const ForwardContext& context) const {
    auto x = observed_op(context, name_ + ".conv1", precision_,
                         [&](const auto& op) { return conv1_(norm1_.over_video_silu(frames, op), op); });
    x = with_time(std::move(x), time_emb_proj_, time);
    x = observed_op(context, name_ + ".conv2", precision_,
                    [&](const auto& op) { return conv2_(norm2_.over_video_silu(std::move(x), op), op); });
    return x.to(at::kFloat).add_(frames);
}

SpatioTemporalResBlock::SpatioTemporalResBlock(const WeightScope& scope, std::string name, const ResBlockConfig& config,
                                               const Precision& precision)
    : name_(std::move(name)),
      spatial_(scope / "spatial_res_block", name_ + ".spatial_res_block", config, precision),
      temporal_(scope / "temporal_res_block", name_ + ".temporal_res_block", config, precision),
      temporal_weight_(mix_weight(scope / "time_mixer", precision)) {
    if (config.mix == ResBlockConfig::Mix::spatial && temporal_weight_.defined())
        temporal_weight_ = 1.0 - temporal_weight_;
}

Tensor SpatioTemporalResBlock::forward(Tensor frames, const Tensor& time, const ForwardContext& context) const {
    auto spatial = spatial_.forward(std::exchange(frames, {}), time, context);
    spatial.lerp_(temporal_.forward(spatial, time, context), temporal_weight_);
    context.observe(name_, spatial);
    return spatial;
}

}  // namespace kinescope::svd
