#include "core/nn/conv2d.h"

#include <ATen/ATen.h>

#include "core/nn/parameter.h"
#include "core/nn/scale_down.h"

namespace kinescope {

Conv2d::Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision)
    : Conv2d(scope.take("weight", {config.out, config.in, config.kernel, config.kernel}),
             scope.take("bias", {config.out}), precision) {}

Conv2d::Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision)
    : weight_(to_storage(weight, precision)), bias_(to_storage(bias, precision)), compute_(precision.compute) {
    // Measured on a CPU: 16 to 96 channels run up to ten times faster channels-last.
    if (weight_.defined()) weight_ = weight_.contiguous(at::MemoryFormat::ChannelsLast);
}

Tensor Conv2d::operator()(const Tensor& pictures, const OpPrecision& op) const {
    const auto padding = weight_.size(-1) / 2;
    const auto convolve = [&](const Tensor& x, const Tensor& bias) {
        const auto y = at::conv2d(x.to(op.compute).permute({0, 3, 1, 2}), weight_.to(op.compute), bias, 1, padding);
        return y.permute({0, 2, 3, 1});
    };
    if (op.rung != Rung::scaled) return convolve(pictures, bias_.to(op.compute)).contiguous();
    const auto scaled = scale_down(pictures);
    return convolve(scaled.values, {}).to(at::kFloat).mul(scaled.factor).add_(bias_.to(at::kFloat)).contiguous();
}

}  // namespace kinescope
