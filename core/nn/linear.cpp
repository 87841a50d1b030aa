#include "core/nn/linear.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"
#include "core/nn/scale_down.h"

namespace kinescope {

Linear::Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision)
    : Linear(scope.take("weight", {config.out, config.in}),
             config.bias == Bias::present ? scope.take("bias", {config.out}) : Tensor(), precision) {}

Linear::Linear(Tensor weight, Tensor bias, const Precision& precision)
    : weight_(to_storage(weight, precision)), bias_(to_storage(bias, precision)), compute_(precision.compute) {}

namespace {

Tensor as(const Tensor& parameter, Dtype dtype) {
    return parameter.defined() ? parameter.to(dtype) : parameter;
}

}  // namespace

Tensor Linear::operator()(const Tensor& x, const OpPrecision& op) const {
    if (op.rung != Rung::scaled) return at::linear(x.to(op.compute), weight_.to(op.compute), as(bias_, op.compute));
    const auto scaled = scale_down(x);
    const auto product = at::linear(scaled.values.to(op.compute), weight_.to(op.compute)).to(at::kFloat);
    const auto y = product.mul_(scaled.factor);
    return bias_.defined() ? y.add_(bias_.to(at::kFloat)) : y;
}

}  // namespace kinescope
