#include "core/models/wan/vae_blocks.h"

#include <ATen/ATen.h>

#include <cmath>
#include <utility>

#include "core/nn/attention.h"
#include "core/nn/norm_silu.h"
#include "core/nn/parameter.h"

namespace kinescope::wan {

Tensor per_channel(const std::vector<double>& values, const Device& device) {
    return at::tensor(values, at::kFloat).view({1, -1, 1, 1, 1}).to(device);
}

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

Tensor ChannelNorm::silu(Tensor frames) const {
    return unit_length_silu(std::move(frames), gamma_);
}

ResidualBlock::ResidualBlock(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision)
    : norm1_(scope / "norm1", in, ChannelNorm::Rank::video, precision),
      norm2_(scope / "norm2", out, ChannelNorm::Rank::video, precision),
      conv1_(scope / "conv1", {.in = in, .out = out}, precision),
      conv2_(scope / "conv2", {.in = out, .out = out}, precision),
      has_shortcut_(in != out) {
    if (has_shortcut_) shortcut_ = pointwise_conv(scope / "conv_shortcut", in, out, 3, precision);
}

Tensor ResidualBlock::forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    auto x = conv1_.shadowed("conv1", norm1_.silu(frames), state.history(&conv1_), scope);
    scope.observe("conv1", x);
    x = conv2_(norm2_.silu(std::move(x)), state.history(&conv2_), scope.op);
    scope.observe("conv2", x);
    x = x.to(at::kFloat);
    if (!has_shortcut_) return x.add_(frames);
    const auto shortcut = shortcut_(frames, scope.op);
    scope.observe("conv_shortcut", shortcut);
    return x.add_(shortcut);
}

FrameAttention::FrameAttention(const WeightScope& scope, std::int64_t channels, const Precision& precision)
    : norm_(scope / "norm", channels, ChannelNorm::Rank::picture, precision),
      to_qkv_(pointwise_conv(scope / "to_qkv", channels, 3 * channels, 2, precision)),
      proj_(pointwise_conv(scope / "proj", channels, channels, 2, precision)) {}

Tensor FrameAttention::forward(const Tensor& frames, const OpScope& scope) const {
    const auto projected = to_qkv_(norm_(frames), scope.op);
    scope.observe("to_qkv", projected);
    const auto qkv = projected.flatten(1, 2).unsqueeze(1).chunk(3, -1);  // [T, 1, H W, C]
    const auto product = scaled_dot_product_attention(
        {.query = qkv[0], .key = qkv[1], .value = qkv[2], .bias = {}, .scale = {}}, scope.op);
    scope.observe("product", product);
    const auto y = proj_(product.reshape(frames.sizes()), scope.op);
    scope.observe("proj", y);
    return frames + y;
}

MidBlock::MidBlock(const WeightScope& scope, std::int64_t channels, const Precision& precision)
    : resnet_0_(scope / "resnets" / 0, channels, channels, precision),
      attention_(scope / "attentions" / 0, channels, precision),
      resnet_1_(scope / "resnets" / 1, channels, channels, precision) {}

Tensor MidBlock::forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const {
    const auto resnets = at / "resnets", attention = at / "attentions" / 0;
    const auto x = resnet_0_.forward(frames, state, (resnets / 0).scope());
    return resnet_1_.forward(attention_.forward(x, attention.scope()), state, (resnets / 1).scope());
}

}  // namespace kinescope::wan
