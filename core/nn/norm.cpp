#include "core/nn/norm.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"

namespace kinescope {

Tensor layer_norm(const Tensor& x, double eps) {
    return at::layer_norm(x.to(at::kFloat), {x.size(-1)}, {}, {}, eps);
}

LayerNorm::LayerNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision)
    : weight_(to_float32(scope.take("weight", {dim}), precision)),
      bias_(to_float32(scope.take("bias", {dim}), precision)),
      eps_(eps) {}

Tensor LayerNorm::operator()(const Tensor& x) const {
    return at::layer_norm(x.to(at::kFloat), {x.size(-1)}, weight_, bias_, eps_);
}

RMSNorm::RMSNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision)
    : RMSNorm(scope.take("weight", {dim}), eps, precision) {}

RMSNorm::RMSNorm(const Tensor& weight, double eps, const Precision& precision)
    : weight_(to_float32(weight, precision)), eps_(eps) {}

Tensor RMSNorm::operator()(const Tensor& x) const {
    return at::rms_norm(x.to(at::kFloat), {x.size(-1)}, weight_, eps_);
}

}  // namespace kinescope
