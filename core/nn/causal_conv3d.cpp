#include "core/nn/causal_conv3d.h"

#include <ATen/ATen.h>

namespace kinescope {

namespace {

/// Above this the frames of a chunk are convolved one by one.
constexpr std::int64_t kMaxStackedBytes = std::int64_t{256} << 20;

std::vector<std::int64_t> used_taps(const Tensor& weight) {
    std::vector<std::int64_t> taps;
    const auto last = weight.size(2) - 1;
    for (std::int64_t tap = 0; tap < last; ++tap)
        if (weight.select(2, tap).count_nonzero().item<std::int64_t>() > 0) taps.push_back(tap);
    taps.push_back(last);
    return taps;
}

}  // namespace

CausalConv3d::CausalConv3d(const WeightScope& scope, const CausalConv3dConfig& config, const Precision& precision)
    : pointwise_(config.kernel_space == 1), past_(config.past) {
    const auto weight =
        scope.take("weight", {config.out, config.in, config.kernel_time, config.kernel_space, config.kernel_space});
    const auto bias = scope.take("bias", {config.out});
    if (!weight.defined()) return;
    const auto taps = used_taps(weight);
    reach_ = config.kernel_time - 1 - taps.front();
    std::vector<Tensor> slices;
    for (const auto tap : taps) {
        taps_.push_back(tap - taps.front());
        slices.push_back(weight.select(2, tap));
    }
    const auto stacked = at::cat(slices, 1);
    if (pointwise_)
        linear_ = Linear(stacked.flatten(1), bias, precision);
    else
        conv_ = Conv2d(stacked, bias, precision);
}

Tensor CausalConv3d::operator()(const Tensor& frames, Tensor& history, const OpPrecision& op) const {
    auto padded = op.rung == Rung::scaled ? frames.to(at::kFloat) : frames.to(op.compute);
    if (reach_ > 0) {
        padded = with_past(padded, history);
        history = padded.slice(0, padded.size(0) - reach_).clone();
    }
    const auto count = frames.size(0);
    const auto bytes = frames.numel() * static_cast<std::int64_t>(taps_.size() * padded.element_size());
    if (bytes <= kMaxStackedBytes) return convolve(stack_taps(padded, 0, count), op);
    std::vector<Tensor> results;
    for (std::int64_t frame = 0; frame < count; ++frame) results.push_back(convolve(stack_taps(padded, frame, 1), op));
    return at::cat(results);
}

Tensor CausalConv3d::with_past(const Tensor& frames, const Tensor& history) const {
    // A history that was kept before the guard raised this op takes the wider dtype, too.
    if (history.defined()) return at::cat({history.to(frames.scalar_type()), frames});
    auto shape = frames.sizes().vec();
    shape[0] = reach_;
    const auto past = past_ == Past::zeros ? at::zeros(shape, frames.options()) : frames.narrow(0, 0, 1).expand(shape);
    return at::cat({past, frames});
}

Tensor CausalConv3d::stack_taps(const Tensor& padded, std::int64_t first, std::int64_t count) const {
    if (taps_.size() == 1) return padded.narrow(0, first, count);
    std::vector<Tensor> slices;
    for (const auto tap : taps_) slices.push_back(padded.narrow(0, first + tap, count));
    return at::cat(slices, -1);
}

Tensor CausalConv3d::convolve(const Tensor& stacked, const OpPrecision& op) const {
    return pointwise_ ? linear_(stacked, op) : conv_(stacked, op);
}

}  // namespace kinescope
