#include "core/nn/linear.h"

#include <ATen/ATen.h>

#include <utility>

#include "core/device/fast_paths.h"
#include "core/nn/cpu/gelu.h"
#include "core/nn/cpu/int8_linear.h"
#include "core/nn/cpu/linear_product.h"
#include "core/nn/rounding.h"
#include "core/nn/scale_down.h"

namespace kinescope {

Linear::Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision)
    : Linear(take_linear_weight(scope, {config.out, config.in}, precision),
             config.bias == Bias::present ? scope.take("bias", {config.out}) : Tensor(), precision,
             scope.path("weight")) {}

Linear::Linear(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name)
    : Linear(to_linear_storage(weight, precision, name), bias, precision, name) {}

Linear::Linear(LinearWeight weight, const Tensor& bias, const Precision& precision, const std::string& name)
    : weight_(std::move(weight)), compute_(precision.compute) {
    bias_ = to_float32(bias, precision);
    weight_.needs_float32 = weight_.needs_float32 || needs_float32(bias, precision, name);
}

const Tensor& Linear::bias_in(Dtype dtype) const {
    if (!bias_.defined()) return bias_;
    if (!narrow_bias_.defined() || narrow_bias_.scalar_type() != dtype) narrow_bias_ = bias_.to(dtype);
    return narrow_bias_;
}

Dtype Linear::input_dtype(const OpPrecision& wanted) const {
    return operand_dtype(fit(wanted));
}

Tensor Linear::weight(const OpPrecision& op) const {
    const StoredWeight& stored = weight_.stored;
    if (op.level == PrecisionLevel::float32 && weight_.source) return weight_.source().to(stored.data.device());
    return stored.is_quantized() ? stored.dequantize(fit(op).compute) : stored.data;
}

/// Computes in float32. Reads a plain weight in its storage dtype; first converts a quantized weight, or a weight with
/// additions.
Tensor Linear::exact_product(const Tensor& x, const OpPrecision& op) const {
    const StoredWeight& stored = weight_.stored;
    const bool is_plain = !stored.is_quantized() && stored.additions.empty();
    return linear_product(x, is_plain ? weight(op) : stored.dequantize(at::kFloat), bias_);
}

Tensor Linear::operator()(const Tensor& x, const OpPrecision& wanted) const {
    const OpPrecision op = fit(wanted);
    if (multiplies_int8(weight_.stored, op)) return int8_linear(x, weight_.stored, bias_);
    if (op.compute == at::kFloat && op.level != PrecisionLevel::scaled) return exact_product(x.to(at::kFloat), op);
    const auto y = narrow_product(x, op);
    measure_linear(op, {x, weight_, bias_}, y);
    return y;
}

bool Linear::fuses_gelu(const Tensor& x, const OpPrecision& wanted) const {
    const OpPrecision op = fit(wanted);
    return op.compute != at::kFloat && op.level == PrecisionLevel::planned && bias_.defined() &&
           is_allowed(FastPath::gelu_product, x.device());
}

Tensor Linear::with_gelu(const Tensor& x, const OpPrecision& wanted) const {
    if (fuses_gelu(x, wanted)) {
        const OpPrecision op = fit(wanted);
        measure_unrounded_linear(op, {x, weight_, bias_});
        return linear_gelu(x.to(op.compute), weight_.stored.dequantize(op.compute), bias_in(op.compute));
    }
    Tensor y = (*this)(x, wanted);
    gelu_tanh_(y);
    return y;
}

/// Computes in 16 bits. On the scaled level, divides the operands by a power of two first.
Tensor Linear::narrow_product(const Tensor& x, const OpPrecision& op) const {
    const Tensor weight = weight_.stored.dequantize(op.compute);
    if (op.level != PrecisionLevel::scaled) return at::linear(x.to(op.compute), weight, bias_in(op.compute));
    if (!gain_.defined()) gain_ = product_gain(weight);
    const auto scaled = scale_down(x, gain_);
    const auto y = at::linear(scaled.values.to(op.compute), weight).to(at::kFloat).mul_(scaled.factor);
    return bias_.defined() ? y.add_(bias_) : y;
}

std::optional<Dtype> Linear::rounds_to() const {
    return multiplies_int8(weight_.stored, {.compute = compute_}) ? std::optional(at::kChar) : std::nullopt;
}

}  // namespace kinescope
