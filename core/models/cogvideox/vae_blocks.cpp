#include "core/models/cogvideox/vae_blocks.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/nn/cpu/plain_floats.h"
#include "core/nn/norm_silu.h"
#include "core/nn/parameter.h"
#include "core/nn/rounding.h"

namespace kinescope::cogvideox {

namespace {

CausalConv3d pointwise_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision) {
    return CausalConv3d(scope, {.in = in, .out = out, .kernel_time = 1, .kernel_space = 1}, precision);
}

/// Applies a pointwise convolution, which needs no cached frames.
Tensor pointwise(const CausalConv3d& conv, const Tensor& frames, const OpPrecision& op) {
    Tensor none;
    return conv(frames, none, op).to(at::kFloat);
}

/// Returns true if the number of frames is odd and above 1, so that the first frame has no partner.
bool has_lone_frame(std::int64_t num_frames) {
    return num_frames > 1 && num_frames % 2 == 1;
}

/// Splits frames [T, H, W, C] into cells, one per element of `like` [t, h, w, C]: [t, T/t, h, H/h, w, W/w, C].
Tensor in_cells(const Tensor& frames, const Tensor& like) {
    const auto [t, h, w] = std::array{like.size(0), like.size(1), like.size(2)};
    return frames.view({t, frames.size(0) / t, h, frames.size(1) / h, w, frames.size(2) / w, frames.size(3)});
}

/// Computes frames * scale + shift in place. Scale and shift are repeated to the size of the frames.
void scale_and_shift(const Tensor& frames, const Tensor& scale, const Tensor& shift) {
    auto cells = in_cells(frames, scale);
    cells.mul_(in_cells(scale, scale)).add_(in_cells(shift, scale));
}

/// Returns the mean of each pair of frames. If their number is odd, the first frame is unchanged.
Tensor halved_in_time(const Tensor& frames) {
    const auto lone = frames.size(0) % 2;
    const auto pairs = frames.slice(0, lone).unflatten(0, {-1, 2}).mean({1});
    return lone > 0 ? at::cat({frames.narrow(0, 0, 1), pairs}) : pairs;
}

}  // namespace

std::vector<FrameRange> frame_batches(std::int64_t num_frames, std::int64_t batch) {
    std::vector<FrameRange> ranges;
    const auto count = std::max<std::int64_t>(num_frames / batch, 1);
    for (std::int64_t begin = 0; static_cast<std::int64_t>(ranges.size()) < count;) {
        const auto length = ranges.empty() ? num_frames - batch * (count - 1) : batch;
        ranges.push_back({begin, length});
        begin += length;
    }
    return ranges;
}

CausalConv3d causal_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision) {
    return CausalConv3d(scope / "conv", {.in = in, .out = out, .past = Past::first_frame}, precision);
}

ChunkNorm::ChunkNorm(const WeightScope& scope, const ChunkNormConfig& config, const Precision& precision)
    : config_(config) {
    const auto norm = config.latent_channels > 0 ? scope / "norm_layer" : scope;
    weight_ = to_float32(norm.take("weight", {config.channels}), precision);
    bias_ = to_float32(norm.take("bias", {config.channels}), precision);
    if (config.latent_channels == 0) return;
    conv_y_ = pointwise_conv(scope / "conv_y" / "conv", config.latent_channels, config.channels, precision);
    conv_b_ = pointwise_conv(scope / "conv_b" / "conv", config.latent_channels, config.channels, precision);
}

/// Normalizes with mean and variance from two passes. A single pass would subtract large sums for a chunk of 100
/// million values (measured: errors of 1e-3 with ATen's channels-last kernel).
Tensor ChunkNorm::normalize(const Tensor& frames) const {
    const auto group_mean = [&](const Tensor& of_channels) {
        const auto groups = of_channels.view({config_.groups, -1});
        return groups.mean({1}, /*keepdim=*/true).expand_as(groups).flatten();
    };
    auto x = frames.to(at::kFloat);
    x = x - group_mean(x.flatten(0, 2).mean({0}));
    auto variance = at::zeros({config_.channels}, x.options());
    for (const auto& frame : x.unbind(0)) variance += frame.square().flatten(0, 1).mean({0});
    variance = group_mean(variance / x.size(0));
    return x.mul_(weight_ * at::rsqrt(variance + config_.eps)).add_(bias_);
}

Tensor ChunkNorm::silu(Tensor frames, const Tensor& latents, const OpPrecision& op) const {
    const GroupNormParameters norm{weight_, bias_, config_.groups, config_.eps};
    measure_group_norm(op, frames.unsqueeze(0), norm);
    if (config_.latent_channels == 0) return group_norm_silu(frames.unsqueeze(0), norm).squeeze(0);
    // A 1x1x1 convolution can be applied before repetition, so it runs on the small latents.
    const auto scale = pointwise(conv_y_, latents, op);
    const auto shift = pointwise(conv_b_, latents, op);
    if (is_plain(frames)) return modulated_group_norm_silu(std::move(frames), norm, {scale, shift});
    auto normed = normalize(frames);
    const std::int64_t lone = has_lone_frame(frames.size(0)) ? 1 : 0;
    if (lone > 0) scale_and_shift(normed.narrow(0, 0, 1), scale.narrow(0, 0, 1), shift.narrow(0, 0, 1));
    scale_and_shift(normed.slice(0, lone), scale.slice(0, lone), shift.slice(0, lone));
    return at::silu_(normed);
}

namespace {

ChunkNormConfig over(ChunkNormConfig norm, std::int64_t channels) {
    norm.channels = channels;
    return norm;
}

}  // namespace

Resnet::Resnet(const WeightScope& scope, const ResnetConfig& config, const Precision& precision)
    : name_(scope.path("")),
      precision_(precision),
      norm1_(scope / "norm1", over(config.norm, config.in), precision),
      norm2_(scope / "norm2", over(config.norm, config.out), precision),
      conv1_(causal_conv(scope / "conv1", config.in, config.out, precision)),
      conv2_(causal_conv(scope / "conv2", config.out, config.out, precision)) {
    if (config.in != config.out)
        conv_shortcut_ = pointwise_conv(scope / "conv_shortcut", config.in, config.out, precision);
}

Tensor Resnet::shortcut(const Tensor& frames, const ForwardContext& context) const {
    if (!conv_shortcut_) return frames;
    const auto op = context.op(name_ + ".conv_shortcut", precision_);
    const auto x = pointwise(*conv_shortcut_, frames, op);
    context.observe(name_ + ".conv_shortcut", x, op);
    return x;
}

Tensor Resnet::forward(const Tensor& frames, const ChunkInput& input) const {
    const auto& context = input.context;
    const auto op1 = context.op(name_ + ".conv1", precision_);
    auto x = conv1_.shadowed("conv1", norm1_.silu(frames, input.latents, op1), input.history.of(conv1_),
                             {context, name_, op1});
    context.observe(name_ + ".conv1", x, op1);

    const auto op2 = context.op(name_ + ".conv2", precision_);
    x = conv2_(norm2_.silu(std::move(x), input.latents, op2), input.history.of(conv2_), op2);
    context.observe(name_ + ".conv2", x, op2);
    return x.to(at::kFloat).add_(shortcut(frames, context));
}

Upsampler::Upsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision)
    : name_(scope.path("")),
      precision_(precision),
      mode_(config.mode),
      conv_(scope / "conv", {.in = config.channels, .out = config.channels}, precision) {}

/// Repeats each frame that has a partner. The convolution processes each frame separately, so it can run before.
Tensor Upsampler::repeated(const Tensor& frames) const {
    const auto count = frames.size(0);
    if (mode_ == Resampling::space || count == 1) return frames;
    if (!has_lone_frame(count)) return frames.repeat_interleave(2, 0);
    return at::cat({frames.narrow(0, 0, 1), frames.slice(0, 1).repeat_interleave(2, 0)});
}

Tensor Upsampler::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto op = context.op(name_, precision_);
    const auto x = repeated(conv_.enlarged(frames, op));
    context.observe(name_, x, op);
    return x.to(at::kFloat);
}

Downsampler::Downsampler(const WeightScope& scope, const ResamplerConfig& config, const Precision& precision)
    : name_(scope.path("")),
      precision_(precision),
      mode_(config.mode),
      conv_(scope / "conv",
            {.in = config.channels, .out = config.channels, .stride = 2, .padding = ConvPadding::behind}, precision) {}

Tensor Downsampler::forward(const Tensor& frames, const ForwardContext& context) const {
    const auto op = context.op(name_, precision_);
    const auto x = conv_(mode_ == Resampling::space_and_time ? halved_in_time(frames) : frames, op);
    context.observe(name_, x, op);
    return x.to(at::kFloat);
}

}  // namespace kinescope::cogvideox
