#include "core/nn/feed_forward.h"

#include <ATen/ATen.h>

#include "core/nn/cpu/gelu.h"
#include "core/nn/shadow.h"

namespace kinescope {

FeedForward::FeedForward(const WeightScope& scope, const FeedForwardConfig& config, const Precision& precision)
    : proj_(scope / "net" / 0 / "proj", {.in = config.dim, .out = config.inner_dim, .bias = config.bias}, precision),
      out_(scope / "net" / 2, {.in = config.inner_dim, .out = config.dim, .bias = config.bias}, precision) {}

Tensor FeedForward::operator()(const Tensor& x, const OpPrecision& op) const {
    return out_(proj_.with_gelu(x, op), op);
}

/// Reports only values that exist. If the device fuses the product with the GELU, the product is never rounded to 16
/// bits, so a large negative sum, whose GELU is 0, does not overflow.
Tensor FeedForward::activated(const Tensor& x, const OpScope& scope) const {
    if (proj_.fuses_gelu(x, scope.op)) {
        const auto hidden = proj_.with_gelu(x, scope.op);
        scope.observe("net.0", hidden);
        return hidden;
    }
    auto hidden = proj_(x, scope.op);
    scope.observe("net.0.proj", hidden);
    gelu_tanh_(hidden);
    return hidden;
}

Tensor FeedForward::operator()(const Tensor& x, const OpScope& scope) const {
    const auto hidden = activated(x, scope);
    const auto y = out_(hidden, scope.op);
    scope.observe("net.2", y);
    scope.shadow("net.2", y, [&] { return shadow_of(out_, hidden, y, scope.op); });
    return y;
}

}  // namespace kinescope
