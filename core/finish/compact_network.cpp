#include "core/finish/compact_network.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"

namespace kinescope {
namespace {

/// max(0, x) + slope * min(0, x), with a slope for each channel of the last axis.
Tensor prelu_last(const Tensor& x, const Tensor& slopes) {
    return at::where(x > 0, x, x * slopes);
}

}  // namespace

CompactNetwork::CompactNetwork(const WeightScope& scope, const CompactLayout& layout, const Precision& precision)
    : layout_(layout) {
    const int last = layout_.num_convolutions + 1;
    for (int i = 0; i <= last; ++i) {
        const std::int64_t in = i == 0 ? 3 : layout_.channels;
        const std::int64_t out = i == last ? 3 * layout_.scale * layout_.scale : layout_.channels;
        const WeightScope body = scope / "body";
        convolutions_.emplace_back(body / (2 * i), Conv2dConfig{.in = in, .out = out}, precision);
        if (i < last) slopes_.push_back(to_float32((body / (2 * i + 1)).take("weight", {layout_.channels}), precision));
    }
}

Tensor CompactNetwork::enlarge(const Tensor& pictures) const {
    Tensor x = pictures;
    for (std::size_t i = 0; i < slopes_.size(); ++i) x = prelu_last(convolutions_[i](x), slopes_[i]);
    x = convolutions_.back()(x);
    const std::int64_t s = layout_.scale;
    const Tensor detail = at::pixel_shuffle(x.permute({0, 3, 1, 2}), s).permute({0, 2, 3, 1});
    const Tensor enlarged = pictures.repeat_interleave(s, 1).repeat_interleave(s, 2);
    return detail.add(enlarged);
}

}  // namespace kinescope
