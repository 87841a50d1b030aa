#include "core/models/stepvideo/vae_blocks.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/nn/attention.h"

namespace kinescope::stepvideo {

namespace {

constexpr double kGroupNormEps = 1e-5;
/// Number of queries per pass. It limits the score matrix to 180 MB for a chunk of 42,160 pixels.
constexpr std::int64_t kMaxQueries = 1024;

/// Loads the 1x1x1 convolution under "conv" as a matrix product over the channels.
Linear pointwise(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision) {
    const auto weight = (scope / "conv").take("weight", {out, in, 1, 1, 1});
    return Linear(weight.defined() ? weight.flatten(1) : weight, (scope / "conv").take("bias", {out}), precision);
}

/// Returns a causal mask [queries, first + queries]: 0 up to the query's position, -inf after it.
Tensor causal_bias(std::int64_t first, std::int64_t queries, const Device& device) {
    const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
    return at::full({queries, first + queries}, -std::numeric_limits<float>::infinity(), options).triu_(first + 1);
}

}  // namespace

GroupNorm frame_norm(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision) {
    return {scope, {.channels = channels, .groups = groups, .eps = kGroupNormEps}, precision};
}

ResidualBlock::ResidualBlock(const WeightScope& scope, const Channels& channels, const Precision& precision)
    : norm1_(frame_norm(scope / "norm1", channels.in, channels.groups, precision)),
      norm2_(frame_norm(scope / "norm2", channels.out, channels.groups, precision)),
      conv1_(video_conv(scope / "conv1", channels.in, channels.out, precision)),
      conv2_(video_conv(scope / "conv2", channels.out, channels.out, precision)) {
    if (channels.in != channels.out)
        shortcut_ = pointwise(scope / "nin_shortcut", channels.in, channels.out, precision);
}

Tensor ResidualBlock::forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    auto x = conv1_.shadowed("conv1", norm1_.over_frame_silu(frames, scope.op), state.history(conv1_), scope);
    scope.observe("conv1", x);
    x = conv2_(norm2_.over_frame_silu(std::move(x), scope.op), state.history(conv2_), scope.op);
    scope.observe("conv2", x);
    if (!shortcut_) return frames.to(at::kFloat) + x;
    const auto shortcut = (*shortcut_)(frames, scope.op);
    scope.observe("nin_shortcut", shortcut);
    return shortcut.to(at::kFloat) + x;
}

ChunkAttention::ChunkAttention(const WeightScope& scope, std::int64_t channels, std::int64_t groups,
                               const Precision& precision)
    : norm_(frame_norm(scope / "norm", channels, groups, precision)),
      q_(pointwise(scope / "q", channels, channels, precision)),
      k_(pointwise(scope / "k", channels, channels, precision)),
      v_(pointwise(scope / "v", channels, channels, precision)),
      proj_out_(pointwise(scope / "proj_out", channels, channels, precision)) {}

Tensor ChunkAttention::forward(const Tensor& frames, const OpScope& scope) const {
    const auto places = norm_.over_frame(frames, scope.op).flatten(0, 2).view({1, 1, -1, frames.size(3)});
    const auto projected = [&](const char* inner, const Linear& linear, const Tensor& x) {
        const auto y = linear(x, scope.op);
        scope.observe(inner, y);
        return y;
    };
    const auto query = projected("q", q_, places), key = projected("k", k_, places), value = projected("v", v_, places);
    std::vector<Tensor> parts;
    for (std::int64_t first = 0; first < places.size(2); first += kMaxQueries) {
        const auto count = std::min(kMaxQueries, places.size(2) - first);
        parts.push_back(scaled_dot_product_attention({.query = query.narrow(2, first, count),
                                                      .key = key.narrow(2, 0, first + count),
                                                      .value = value.narrow(2, 0, first + count),
                                                      .bias = causal_bias(first, count, places.device()),
                                                      .scale = {}},
                                                     scope.op));
    }
    const auto product = at::cat(parts, 2).reshape(frames.sizes());
    scope.observe("product", product);
    return frames + projected("proj_out", proj_out_, product);
}

MidBlock::MidBlock(const WeightScope& scope, std::int64_t channels, std::int64_t groups, const Precision& precision)
    : block_1_(scope / "block_1", {channels, channels, groups}, precision),
      attn_1_(scope / "attn_1", channels, groups, precision),
      block_2_(scope / "block_2", {channels, channels, groups}, precision) {}

Tensor MidBlock::forward(const Tensor& frames, ChunkState& state, const BlockSite& at) const {
    const auto block_1 = at / "block_1", attn_1 = at / "attn_1", block_2 = at / "block_2";
    const auto x = attn_1_.forward(block_1_.forward(frames, state, block_1.scope()), attn_1.scope());
    return block_2_.forward(x, state, block_2.scope());
}

Upsampler3d::Upsampler3d(const WeightScope& scope, std::int64_t channels, std::int64_t groups,
                         const Precision& precision)
    : conv1_(video_conv(scope / "conv1", channels, channels, precision)),
      conv2_(video_conv(scope / "conv2", channels, channels, precision)),
      norm1_(frame_norm(scope / "norm1", channels, groups, precision)),
      norm2_(frame_norm(scope / "norm2", channels, groups, precision)) {}

Tensor Upsampler3d::forward(const Tensor& frames, ChunkState& state, const OpScope& scope) const {
    const auto doubled = enlarge(frames, 2).repeat_interleave(2, 0);
    auto x = conv1_(doubled, state.history(conv1_), scope.op);
    scope.observe("conv1", x);
    x = conv2_(norm1_.over_frame_silu(std::move(x), scope.op), state.history(conv2_), scope.op);
    scope.observe("conv2", x);
    x = norm2_.over_frame(std::move(x), scope.op);
    return at::silu_(x.add_(doubled)).add_(doubled);
}

CausalConv3d video_conv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision) {
    return CausalConv3d(scope / "conv", {.in = in, .out = out}, precision);
}

Tensor enlarge(const Tensor& frames, std::int64_t times) {
    const auto [t, h, w, c] = std::array{frames.size(0), frames.size(1), frames.size(2), frames.size(3)};
    return frames.view({t, h, 1, w, 1, c}).expand({t, h, times, w, times, c}).reshape({t, times * h, times * w, c});
}

Tensor fold(const Tensor& frames) {
    const auto padded = at::constant_pad_nd(frames, {0, 0, 0, 0, 0, 0, 1, 0});
    const auto [t, h, w, c] = std::array{padded.size(0) / 2, padded.size(1) / 2, padded.size(2) / 2, padded.size(3)};
    return padded.view({t, 2, h, 2, w, 2, c}).permute({0, 2, 4, 6, 1, 3, 5}).reshape({t, h, w, 8 * c});
}

Tensor unfold(const Tensor& frames) {
    const auto [t, h, w, c] = std::array{frames.size(0), frames.size(1), frames.size(2), frames.size(3) / 8};
    const auto spread = frames.view({t, h, w, c, 2, 2, 2}).permute({0, 4, 1, 5, 2, 6, 3});
    return spread.reshape({2 * t, 2 * h, 2 * w, c}).slice(0, 1);
}

Tensor mean_channels(const Tensor& frames, std::int64_t channels) {
    return frames.unflatten(-1, {channels, -1}).mean(-1);
}

Tensor repeat_channels(const Tensor& frames, std::int64_t channels) {
    return frames.repeat_interleave(channels / frames.size(3), 3);
}

}  // namespace kinescope::stepvideo
