#include "core/nn/conv2d.h"

#include <ATen/ATen.h>

#include "core/nn/scale_down.h"

namespace kinescope {

Conv2d::Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision)
    : Conv2d(scope.take("weight", {config.out, config.in, config.kernel, config.kernel}),
             scope.take("bias", {config.out}), precision, scope.path("weight")) {
    stride_ = config.stride;
    padding_ = config.padding;
}

Conv2d::Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name)
    : weight_(to_product_weight(weight, precision, name)), compute_(precision.compute) {
    const ProductWeight kept = to_product_weight(bias, precision, name.empty() ? name : "the bias of " + name);
    bias_ = kept.values;
    weight_.needs_float32 = weight_.needs_float32 || kept.needs_float32;
    // Measured on a CPU: 16 to 96 channels run up to ten times faster channels-last.
    Tensor& values = weight_.values;
    if (values.defined()) values = values.contiguous(at::MemoryFormat::ChannelsLast);
}

/// In the dtype of the weight.
Tensor Conv2d::convolve(const Tensor& pictures, const Tensor& weight, const Tensor& bias) const {
    auto x = pictures.to(weight.scalar_type()).permute({0, 3, 1, 2});
    if (padding_ == ConvPadding::behind) x = at::constant_pad_nd(x, {0, 1, 0, 1});
    const auto padding = padding_ == ConvPadding::around ? weight.size(-1) / 2 : 0;
    return at::conv2d(x, weight, bias, stride_, padding).permute({0, 2, 3, 1});
}

Tensor Conv2d::operator()(const Tensor& pictures, const OpPrecision& wanted) const {
    const OpPrecision op = weight_.fit(wanted);
    const Tensor weight = weight_.values.to(op.compute);
    if (op.rung != Rung::scaled) return convolve(pictures, weight, bias_.to(op.compute)).contiguous();
    const auto scaled = scale_down(pictures, weight);
    const auto y = convolve(scaled.values, weight, {}).to(at::kFloat);
    return y.mul(scaled.factor).add_(bias_.to(at::kFloat)).contiguous();
}

}  // namespace kinescope
