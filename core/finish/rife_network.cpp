#include "core/finish/rife_network.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/nn/parameter.h"

namespace kinescope {
namespace {

constexpr double kRifeSlope = 0.2;
constexpr std::int64_t kFlowChannels = 4;
/// A block shrinks its input by this before its residuals.
constexpr int kBlockShrink = 4;

Tensor rife_leaky(Tensor x) {
    return at::leaky_relu_(x, kRifeSlope);
}

Tensor to_channels_last(const Tensor& nchw) {
    return nchw.permute({0, 2, 3, 1}).contiguous();
}

/// Bilinear without antialiasing, as the reference: by a factor, not by a size.
Tensor resized(const Tensor& nchw, double factor) {
    if (factor == 1) return nchw;
    const auto side = [&](std::int64_t axis) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(nchw.size(axis)) * factor));
    };
    return at::upsample_bilinear2d(nchw.contiguous(), {side(2), side(3)}, false, factor, factor);
}

/// Sampling positions -1..1 along an axis of `size` pixels.
Tensor positions(std::int64_t size, const Tensor& like) {
    return at::linspace(-1, 1, size, like.options().dtype(at::kFloat));
}

/// Samples a picture [1, C, H, W] at each pixel moved by `flow` [1, 2, H, W] px. Coordinates are float32, because those
/// of float16 are too coarse above about 1000 px.
Tensor warped(const Tensor& picture, const Tensor& flow) {
    constexpr int kBilinear = 0;
    constexpr int kBorder = 1;
    const std::int64_t height = picture.size(2);
    const std::int64_t width = picture.size(3);
    const Tensor x = positions(width, flow).view({1, 1, width}) + flow.select(1, 0) / ((width - 1.0) / 2);
    const Tensor y = positions(height, flow).view({1, height, 1}) + flow.select(1, 1) / ((height - 1.0) / 2);
    return at::grid_sampler(picture, at::stack({x, y}, -1), kBilinear, kBorder, /*align_corners=*/true);
}

Tensor first_flow(const Tensor& flow) {
    return flow.slice(1, 0, 2);
}

Tensor second_flow(const Tensor& flow) {
    return flow.slice(1, 2, 4);
}

}  // namespace

DoublingConv::DoublingConv(const WeightScope& scope, std::int64_t in, std::int64_t out, const Precision& precision)
    : weight_(to_float32(scope.take("weight", {in, out, 4, 4}), precision)),
      bias_(to_float32(scope.take("bias", {out}), precision)) {}

Tensor DoublingConv::operator()(const Tensor& pictures) const {
    const Tensor nchw = pictures.permute({0, 3, 1, 2});
    return to_channels_last(at::conv_transpose2d(nchw, weight_, bias_, /*stride=*/2, /*padding=*/1));
}

FlowBlock::FlowBlock(const WeightScope& scope, const RifeBlock& layout, std::int64_t in, const Precision& precision)
    : shrink1_(scope / "conv0.0.0", {.in = in, .out = layout.width / 2, .stride = 2}, precision),
      shrink2_(scope / "conv0.1.0", {.in = layout.width / 2, .out = layout.width, .stride = 2}, precision),
      last_(scope / "lastconv.0", layout.width, 4 * layout.outputs, precision) {
    for (int i = 0; i < layout.num_convolutions; ++i) {
        const WeightScope inner = scope / "convblock" / i;
        const Tensor beta = inner.take("beta", {1, layout.width, 1, 1});
        residuals_.push_back({Conv2d(inner / "conv", {.in = layout.width, .out = layout.width}, precision),
                              beta.defined() ? to_float32(beta, precision).reshape({layout.width}) : beta});
    }
}

Tensor FlowBlock::operator()(const Tensor& x) const {
    Tensor y = rife_leaky(shrink2_(rife_leaky(shrink1_(x))));
    for (const Residual& residual : residuals_) y = rife_leaky(residual.conv(y).mul_(residual.beta).add_(y));
    return at::pixel_shuffle(last_(y).permute({0, 3, 1, 2}), 2);
}

RifeNetwork::RifeNetwork(const WeightScope& scope, const RifeLayout& layout, const Precision& precision)
    : layout_(layout) {
    const WeightScope encode = scope / "encode";
    const std::int64_t width = layout_.encoder_width;
    if (layout_.encoder == RifeEncoder::head) {
        encoder_.emplace_back(encode / "cnn0", Conv2dConfig{.in = 3, .out = width, .stride = 2}, precision);
        encoder_.emplace_back(encode / "cnn1", Conv2dConfig{.in = width, .out = width}, precision);
        encoder_.emplace_back(encode / "cnn2", Conv2dConfig{.in = width, .out = width}, precision);
        encoder_end_ = DoublingConv(encode / "cnn3", width, layout_.features, precision);
    } else {
        encoder_.emplace_back(encode / "0", Conv2dConfig{.in = 3, .out = width, .stride = 2}, precision);
        encoder_end_ = DoublingConv(encode / "1", width, layout_.features, precision);
    }
    const std::int64_t pictures = 3 + 3 + 2 * layout_.features + 1;
    for (std::size_t i = 0; i < layout_.blocks.size(); ++i) {
        const std::int64_t in = i == 0 ? pictures : pictures + 1 + layout_.passed + kFlowChannels;
        blocks_.emplace_back(scope / (layout_.block_prefix + std::to_string(i)), layout_.blocks[i], in, precision);
    }
}

int rife_multiple(const RifeLayout& layout, double scale_factor) {
    const int reduction = 1 << (layout.blocks.size() - 1);
    // At least 64, as the reference: zeros beyond the edges change the pixels near them.
    return static_cast<int>(std::lround(std::max(reduction * kBlockShrink, 64) / scale_factor));
}

EncodedFrame RifeNetwork::encode(const Tensor& picture) const {
    Tensor x = to_channels_last(picture);
    const bool is_active = layout_.encoder == RifeEncoder::head;
    for (const Conv2d& conv : encoder_) x = is_active ? rife_leaky(conv(x)) : conv(x);
    return {.picture = picture, .features = encoder_end_(x).permute({0, 3, 1, 2}).contiguous()};
}

/// Runs a block at a reduced size. `flow` is undefined for the first block.
Tensor RifeNetwork::run(std::size_t block, const Tensor& x, const Tensor& flow, double reduction) const {
    Tensor small = resized(x, 1 / reduction);
    if (flow.defined()) small = at::cat({small, resized(flow, 1 / reduction) / reduction}, 1);
    const Tensor result = resized(blocks_[block](to_channels_last(small)), reduction);
    return at::cat({result.slice(1, 0, kFlowChannels) * reduction, result.slice(1, kFlowChannels)}, 1);
}

Tensor RifeNetwork::between(const EncodedFrame& a, const EncodedFrame& b, double time, double scale_factor,
                            const AfterBlock& after_block) const {
    const Tensor when = at::full_like(a.picture.slice(1, 0, 1), time);
    Tensor flow;
    Tensor mask;
    Tensor passed;
    Tensor from_a = a.picture;
    Tensor from_b = b.picture;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        std::vector<Tensor> inputs{from_a, from_b};
        if (i == 0) {
            inputs.insert(inputs.end(), {a.features, b.features, when});
        } else {
            inputs.insert(inputs.end(),
                          {warped(a.features, first_flow(flow)), warped(b.features, second_flow(flow)), when, mask});
            if (layout_.passed > 0) inputs.push_back(passed);
        }
        const double reduction = static_cast<double>(1 << (blocks_.size() - 1 - i)) / scale_factor;
        const Tensor result = run(i, at::cat(inputs, 1), flow, reduction);
        const Tensor change = result.slice(1, 0, kFlowChannels);
        flow = flow.defined() ? flow + change : change;
        mask = result.slice(1, kFlowChannels, kFlowChannels + 1);
        passed = result.slice(1, kFlowChannels + 1, kFlowChannels + 1 + layout_.passed);
        from_a = warped(a.picture, first_flow(flow));
        from_b = warped(b.picture, second_flow(flow));
        after_block(static_cast<int>(i), {flow, mask});
    }
    const Tensor share = mask.sigmoid();
    return from_a.mul_(share).add_(from_b.mul_(1 - share)).clamp_(0, 1);
}

}  // namespace kinescope
