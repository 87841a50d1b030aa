#pragma once

#include <cstdint>

#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope {

struct FeedForwardConfig {
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;
    Bias bias = Bias::present;  ///< applies to both layers
};

/// diffusers' FeedForward with tanh GELU: net.2(gelu(net.0.proj(x))). Returns the dtype that Linear returns.
class FeedForward {
public:
    FeedForward() = default;
    FeedForward(const WeightScope& scope, const FeedForwardConfig& config, const Precision& precision);
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;
    /// Computes the layers inside `scope`, with inner sites "net.0.proj" and "net.2". The first is "net.0", after the
    /// GELU, if the device computes both at once.
    Tensor operator()(const Tensor& x, const OpScope& scope) const;
    /// Returns the dtype to which an input may be converted before the op, see operand_dtype.
    Dtype input_dtype(const OpPrecision& op) const { return proj_.input_dtype(op); }

private:
    Tensor activated(const Tensor& x, const OpScope& scope) const;

    Linear proj_;
    Linear out_;
};

}  // namespace kinescope
