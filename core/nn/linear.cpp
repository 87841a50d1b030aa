#include "core/nn/linear.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"

namespace kinescope {

Linear::Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision)
    : Linear(scope.take("weight", {config.out, config.in}),
             config.bias == Bias::present ? scope.take("bias", {config.out}) : Tensor(), precision) {}

Linear::Linear(Tensor weight, Tensor bias, const Precision& precision)
    : weight_(to_storage(weight, precision)), bias_(to_storage(bias, precision)), compute_(precision.compute) {}

Tensor Linear::operator()(const Tensor& x) const {
    return at::linear(x.to(compute_), weight_.to(compute_), bias_.defined() ? bias_.to(compute_) : bias_);
}

}  // namespace kinescope
