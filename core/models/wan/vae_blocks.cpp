#include "core/models/wan/vae_blocks.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>

#include "core/nn/attention.h"
#include "core/nn/parameter.h"

namespace kinescope::wan {

Linear pointwise_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, std::int64_t kernel_rank,
                      const Precision& precision) {
    std::vector<std::int64_t> shape{out, in};
    shape.insert(shape.end(), static_cast<std::size_t>(kernel_rank), 1);
    const auto weight = scope.take("weight", shape);
    return Linear(weight.defined() ? weight.flatten(1) : weight, scope.take("bias", {out}), precision);
}

ChannelNorm::ChannelNorm(const WeightScope& scope, std::int64_t channels, Rank rank, const Precision& precision) {
    const auto shape = rank == Rank::picture ? std::vector<std::int64_t>{channels, 1, 1}
                                             : std::vector<std::int64_t>{channels, 1, 1, 1};
    const auto gamma = to_float32(scope.take("gamma", shape), precision);
    if (gamma.defined()) gamma_ = gamma.flatten() * std::sqrt(static_cast<double>(channels));
}

Tensor ChannelNorm::operator()(const Tensor& frames) const {
    const auto x = frames.to(at::kFloat);
    const auto length = at::linalg_vector_norm(x, 2, {-1}, /*keepdim=*/true).clamp_min_(1e-12);
    return at::div(x, length).mul_(gamma_);
}

ResidualBlock::ResidualBlock(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision)
    : norm1_(scope / "norm1", in, ChannelNorm::Rank::video, precision),
      norm2_(scope / "norm2", out, ChannelNorm::Rank::video, precision),
      conv1_(scope / "conv1", {.in = in, .out = out}, precision),
      conv2_(scope / "conv2", {.in = out, .out = out}, precision),
      has_shortcut_(in != out) {
    if (has_shortcut_) shortcut_ = pointwise_conv(scope / "conv_shortcut", in, out, 3, precision);
}

Tensor ResidualBlock::forward(const Tensor& frames, DecoderState& state, const OpPrecision& op) const {
    auto x = norm1_(frames);
    x = conv1_(at::silu_(x), state.history(conv1_), op);
    x = norm2_(x);
    x = conv2_(at::silu_(x), state.history(conv2_), op);
    return (has_shortcut_ ? shortcut_(frames, op) : frames).to(at::kFloat) + x;
}

FrameAttention::FrameAttention(const WeightScope& scope, std::int64_t channels, const Precision& precision)
    : norm_(scope / "norm", channels, ChannelNorm::Rank::picture, precision),
      to_qkv_(pointwise_conv(scope / "to_qkv", channels, 3 * channels, 2, precision)),
      proj_(pointwise_conv(scope / "proj", channels, channels, 2, precision)) {}

Tensor FrameAttention::forward(const Tensor& frames, const OpPrecision& op) const {
    const auto qkv = to_qkv_(norm_(frames), op).flatten(1, 2).unsqueeze(1).chunk(3, -1);  // [T, 1, H W, C]
    const auto attended =
        scaled_dot_product_attention({.query = qkv[0], .key = qkv[1], .value = qkv[2], .bias = {}, .scale = {}}, op);
    return frames + proj_(attended.reshape(frames.sizes()), op);
}

Upsampler::Upsampler(const WeightScope& scope, std::int64_t channels, Mode mode, const Precision& precision)
    : mode_(mode), conv_(scope / "resample" / 1, {.in = channels, .out = channels / 2}, precision) {
    if (mode == Mode::space_and_time)
        time_conv_ = CausalConv3d(
            scope / "time_conv", {.in = channels, .out = 2 * channels, .kernel_time = 3, .kernel_space = 1}, precision);
}

/// The channels of time_conv hold the two frames that a frame becomes. The first chunk stays one frame, and is no part
/// of the history either.
Tensor Upsampler::double_time(const Tensor& frames, DecoderState& state, const OpPrecision& op) const {
    if (state.is_first_chunk()) return frames;
    const auto pairs = time_conv_(frames, state.history(time_conv_), op).unflatten(-1, {2, -1});
    return pairs.permute({0, 3, 1, 2, 4}).flatten(0, 1);
}

Tensor Upsampler::forward(const Tensor& frames, DecoderState& state, const OpPrecision& op) const {
    const auto x = mode_ == Mode::space_and_time ? double_time(frames, state, op) : frames;
    const auto [t, h, w, c] = std::array{x.size(0), x.size(1), x.size(2), x.size(3)};
    const auto enlarged = x.view({t, h, 1, w, 1, c}).expand({t, h, 2, w, 2, c}).reshape({t, 2 * h, 2 * w, c});
    return conv_(enlarged, op).to(at::kFloat);
}

}  // namespace kinescope::wan
