#include "core/nn/linear.h"

#include <ATen/ATen.h>

#include <utility>

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

Linear::Linear(const WeightScope& scope, const Tensor& weight, const Tensor& bias, const Precision& precision)
    : Linear(to_linear_storage(weight, precision, {},
                               [&](Float8Note note) {
                                   note.weight = scope.path("weight");
                                   scope.note_float8(std::move(note));
                               }),
             bias, precision, {}) {}

Linear::Linear(LinearWeight weight, const Tensor& bias, const Precision& precision, const std::string& name)
    : weight_(std::move(weight)), compute_(precision.compute) {
    // If float16 cannot hold the weight, the bias keeps its precision too.
    const Precision of_bias = weight_.needs_float32 ? float32_compute(precision) : precision;
    const ProductWeight kept = to_product_weight(bias, of_bias, name.empty() ? name : "the bias of " + name);
    bias_ = kept.values;
    weight_.needs_float32 = weight_.needs_float32 || kept.needs_float32;
}

namespace {

Tensor as(const Tensor& parameter, Dtype dtype) {
    return parameter.defined() ? parameter.to(dtype) : parameter;
}

/// Computes in float32. Plain weights are read in their storage dtype; quantized weights and weights with additions are
/// converted first.
Tensor exact_product(const Tensor& x, const StoredWeight& stored, const Tensor& bias) {
    const bool is_plain = !stored.is_quantized() && stored.additions.empty();
    return linear_product(x, is_plain ? stored.data : stored.dequantize(at::kFloat), bias);
}

}  // namespace

Tensor Linear::operator()(const Tensor& x, const OpPrecision& wanted) const {
    const OpPrecision op = fit(wanted);
    if (multiplies_int8(weight_.stored, op)) return int8_linear(x, weight_.stored, bias_);
    if (op.compute == at::kFloat && op.level != PrecisionLevel::scaled)
        return exact_product(x.to(at::kFloat), weight_.stored, bias_);
    const auto y = narrow_product(x, op);
    measure_linear(op, x, weight_.stored, bias_, y);
    return y;
}

/// Computes in 16 bits. On the scaled level, divides the operands by a power of two.
Tensor Linear::narrow_product(const Tensor& x, const OpPrecision& op) const {
    const Tensor weight = weight_.stored.dequantize(op.compute);
    if (op.level != PrecisionLevel::scaled) return at::linear(x.to(op.compute), weight, as(bias_, op.compute));
    if (!gain_.defined()) gain_ = product_gain(weight);
    const auto scaled = scale_down(x, gain_);
    const auto y = at::linear(scaled.values.to(op.compute), weight).to(at::kFloat).mul_(scaled.factor);
    return bias_.defined() ? y.add_(bias_.to(at::kFloat)) : y;
}

std::optional<Dtype> Linear::rounds_to() const {
    return multiplies_int8(weight_.stored, {.compute = compute_}) ? std::optional(at::kChar) : std::nullopt;
}

}  // namespace kinescope
