#include "core/nn/conv2d.h"

#include <ATen/ATen.h>

#include <array>

#include "core/device/fast_paths.h"
#include "core/nn/rounding.h"
#include "core/nn/scale_down.h"

namespace kinescope {

namespace {

/// Returns the weight with its temporal taps stacked along the channels: [out, taps * in, k, k].
Tensor stacked(const Tensor& weight) {
    return weight.dim() == 5 ? weight.transpose(1, 2).flatten(1, 2) : weight;
}

/// Returns a view of a stacked weight: [out, in, taps, k, k].
Tensor unstacked(const Tensor& weight, std::int64_t taps) {
    return weight.unflatten(1, {taps, -1}).transpose(1, 2);
}

bool suits_winograd(const Tensor& weight, const Precision& precision) {
    return precision.device.is_cpu() && precision.compute == at::kFloat && weight.size(-1) == 3 &&
           winograd_pays(weight.size(1), weight.size(0));
}

/// Converts a weight to the form in which the layer stores it. A 16-bit weight keeps its storage dtype if the kernel
/// converts it for each image anyway.
ProductWeight kept_weight(const Tensor& weight, Precision precision, const std::string& name) {
    if (!weight.defined()) return to_product_weight(weight, precision, name);
    const bool is_narrow = weight.scalar_type() == at::kHalf || weight.scalar_type() == at::kBFloat16;
    if (is_narrow && suits_winograd(weight, precision)) precision.storage = weight.scalar_type();
    if (weight.dim() == 4 || suits_winograd(weight, precision)) return to_product_weight(weight, precision, name);
    // Check S0 examines the channels of all taps together.
    ProductWeight kept = to_product_weight(stacked(weight), precision, name);
    kept.values = unstacked(kept.values, weight.size(2));
    return kept;
}

/// Returns the weight in the form that is fastest: [out, in, taps, 3, 3] with contiguous 3x3 filters for Winograd's
/// algorithm, which reads them in place, so that a mapped file is not copied.
Tensor for_winograd(const Tensor& weight) {
    const Tensor windows = weight.dim() == 5 ? weight : weight.unsqueeze(2);
    const bool has_plain_filters = windows.stride(4) == 1 && windows.stride(3) == windows.size(4);
    return has_plain_filters ? windows : windows.contiguous();
}

/// Returns the weight stacked and channels-last, which is up to ten times faster on a CPU for 16 to 96 channels
/// (measured).
Tensor for_library(const Tensor& weight) {
    return stacked(weight).contiguous(at::MemoryFormat::ChannelsLast);
}

Tensor twice_as_large(const Tensor& pictures) {
    const auto [n, h, w, c] = std::array{pictures.size(0), pictures.size(1), pictures.size(2), pictures.size(3)};
    return pictures.reshape({n, h, 1, w, 1, c}).expand({n, h, 2, w, 2, c}).reshape({n, 2 * h, 2 * w, c});
}

}  // namespace

Conv2d::Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision)
    : Conv2d(scope.take("weight", {config.out, config.in, config.kernel, config.kernel}),
             scope.take("bias", {config.out}), Steps{config.stride, config.padding}, precision, scope.path("weight")) {}

Conv2d::Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name)
    : Conv2d(weight, bias, Steps{}, precision, name) {}

Conv2d::Conv2d(const Tensor& weight, const Tensor& bias, const Steps& steps, const Precision& precision,
               const std::string& name)
    : weight_(kept_weight(weight, precision, name)),
      steps_(steps),
      compute_(precision.compute),
      float32_convolutions_(precision.convolutions) {
    bias_ = to_float32(bias, precision);
    weight_.needs_float32 = weight_.needs_float32 || needs_float32(bias, precision, name);
    if (!weight.defined()) return;
    Precision fitted = precision;
    fitted.compute = fit({.compute = precision.compute}).compute;
    const bool moves_by_one = steps.stride == 1 && steps.padding == ConvPadding::around;
    weight_.values = moves_by_one && suits_winograd(weight_.values, fitted) ? for_winograd(weight_.values)
                                                                            : for_library(weight_.values);
}

/// Convolves the images in the dtype of the weight.
Tensor Conv2d::convolve(const Tensor& pictures, const Tensor& weight, const Tensor& bias) const {
    auto x = pictures.to(weight.scalar_type()).permute({0, 3, 1, 2});
    if (steps_.padding == ConvPadding::behind) x = at::constant_pad_nd(x, {0, 1, 0, 1});
    const auto padding = steps_.padding == ConvPadding::around ? weight.size(-1) / 2 : 0;
    return at::conv2d(x, weight, bias, steps_.stride, padding).permute({0, 2, 3, 1});
}

Tensor Conv2d::operator()(const Tensor& pictures, const OpPrecision& wanted) const {
    const OpPrecision op = fit(wanted);
    if (uses_winograd(pictures, op)) return convolve_winograd(pictures.unbind(0), Enlarge::none);
    const Tensor kernel = weight();
    const auto y = op.level == PrecisionLevel::scaled ? scaled(pictures, kernel, op) : planned(pictures, kernel, op);
    const auto before = steps_.padding == ConvPadding::around ? kernel.size(-1) / 2 : 0;
    measure_convolution(op, {pictures, kernel, bias_, steps_.stride, before}, y);
    return y.contiguous();
}

/// Convolves in op.compute. Rounds to TF32 only if the policy planned it, not in an op that the guard has raised.
Tensor Conv2d::planned(const Tensor& pictures, const Tensor& weight, const OpPrecision& op) const {
    std::optional<Tf32Convolutions> tf32;
    if (rounds_to(op, pictures.device())) tf32.emplace(pictures.device());
    return convolve(pictures, weight.to(op.compute), bias_.to(op.compute));
}

Tensor Conv2d::scaled(const Tensor& pictures, const Tensor& weight, const OpPrecision& op) const {
    const Tensor narrow = weight.to(op.compute);
    if (!gain_.defined()) gain_ = product_gain(narrow);
    const auto divided = scale_down(pictures, gain_);
    const auto y = convolve(divided.values, narrow, {}).to(at::kFloat);
    return y.mul(divided.factor).add_(bias_);
}

Dtype Conv2d::input_dtype(const OpPrecision& wanted) const {
    return operand_dtype(fit(wanted));
}

Tensor Conv2d::enlarged(const Tensor& pictures, const OpPrecision& wanted) const {
    if (!uses_winograd(pictures, fit(wanted))) return (*this)(twice_as_large(pictures), wanted);
    return convolve_winograd(pictures.unbind(0), Enlarge::twice);
}

bool Conv2d::takes_windows(const Tensor& frames, const OpPrecision& wanted) const {
    return is_for_winograd() && frames.is_cpu() && fit(wanted) == OpPrecision{};
}

bool Conv2d::uses_winograd(const Tensor& pictures, const OpPrecision& op) const {
    return takes_windows(pictures, op) && weight_.values.size(2) == 1;
}

Tensor Conv2d::over_windows(const std::vector<Tensor>& frames) const {
    return convolve_winograd(frames, Enlarge::none);
}

Tensor Conv2d::weight() const {
    return stacked(weight_.values);
}

Tensor Conv2d::weight_of(const Tensor& outputs) const {
    return stacked(weight_.values.index_select(0, outputs));
}

std::optional<Dtype> Conv2d::rounds_to(const OpPrecision& wanted, const Device& device) const {
    const bool uses_tf32 = float32_convolutions_ == Float32Convolutions::tf32 && fit(wanted) == OpPrecision{} &&
                           is_allowed(FastPath::tf32_convolution, device);
    return uses_tf32 ? std::optional(at::kHalf) : std::nullopt;
}

Tensor Conv2d::convolve_winograd(const std::vector<Tensor>& frames, Enlarge enlarge) const {
    return winograd_convolution(frames, {.weight = weight_.values, .bias = bias_}, enlarge);
}

}  // namespace kinescope
