#include "core/nn/feed_forward.h"

#include <ATen/ATen.h>

namespace kinescope {

FeedForward::FeedForward(const WeightScope& scope, const FeedForwardConfig& config, const Precision& precision)
    : proj_(scope / "net" / 0 / "proj", {.in = config.dim, .out = config.inner_dim}, precision),
      out_(scope / "net" / 2, {.in = config.inner_dim, .out = config.dim}, precision) {}

Tensor FeedForward::operator()(const Tensor& x, const OpPrecision& op) const {
    auto hidden = proj_(x, op);
    return out_(at::gelu_(hidden, "tanh"), op);
}

}  // namespace kinescope
