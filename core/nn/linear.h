#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/nn/parameter.h"
#include "core/weights/weight_store.h"

namespace kinescope {

enum class Bias { none, present };

struct LinearConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Bias bias = Bias::present;
};

/// x W^T + b over the last dimension. Accepts any dtype and computes in Precision::compute, or as the guard raised the
/// op. Dequantizes a quantized weight to that dtype for each call, except for int8 on a CPU (see int8_linear). An op
/// that was raised to float32 reads a weight that had been narrowed to 16 bits from its file again.
class Linear {
public:
    Linear() = default;
    Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision);
    /// Uses existing tensors: `weight` [out, in]; `bias` may be undefined. `name` appears in the log.
    Linear(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name = {});
    /// The same, and reports the effect of float8 on the weight to the store of `scope`.
    Linear(const WeightScope& scope, const Tensor& weight, const Tensor& bias, const Precision& precision);

    Tensor operator()(const Tensor& x) const { return (*this)(x, {.compute = compute_}); }
    /// Returns OpPrecision::compute; float32 on the scaled level and if float16 cannot hold the weight.
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;

    /// The precision that the op uses when `wanted` is requested: float32 if float16 cannot hold the weight.
    OpPrecision fit(const OpPrecision& wanted) const { return weight_.fit(wanted); }

    /// Returns the weight that `op` multiplies with, in its storage dtype; a quantized weight is dequantized.
    Tensor weight(const OpPrecision& op = {}) const;
    /// Float32.
    const Tensor& bias() const { return bias_; }
    /// The dtype to which the planned op rounds the factors of its products, if it differs from the compute dtype.
    std::optional<Dtype> rounds_to() const;

private:
    Tensor exact_product(const Tensor& x, const OpPrecision& op) const;
    Tensor narrow_product(const Tensor& x, const OpPrecision& op) const;
    Linear(LinearWeight weight, const Tensor& bias, const Precision& precision, const std::string& name);

    LinearWeight weight_;
    Tensor bias_;
    Dtype compute_ = at::kFloat;
    mutable Tensor gain_ = {};  ///< product_gain of the weight; undefined until the first scaled product
};

}  // namespace kinescope
