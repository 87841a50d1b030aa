#pragma once

#include <cstdint>

#include "core/nn/linear.h"

namespace kinescope {

struct FeedForwardConfig {
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;
};

/// diffusers' FeedForward with tanh GELU: net.2(gelu(net.0.proj(x))). Returns what Linear returns.
class FeedForward {
public:
    FeedForward() = default;
    FeedForward(const WeightScope& scope, const FeedForwardConfig& config, const Precision& precision);
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;

private:
    Linear proj_;
    Linear out_;
};

}  // namespace kinescope
