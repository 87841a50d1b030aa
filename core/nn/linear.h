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

/// Computes x W^T + b over the last dimension. Accepts any dtype and computes in Precision::compute, or in the
/// precision to which the guard raised the op. Dequantizes a quantized weight to that dtype for each call, except for
/// int8 on a CPU (see int8_linear). If an op is raised to float32 and its weight was narrowed to 16 bits, reads the
/// weight from its file again.
class Linear {
public:
    Linear() = default;
    Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision);
    /// Uses existing tensors: `weight` [out, in]; `bias` may be undefined. `name` appears in the log.
    Linear(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name = {});

    Tensor operator()(const Tensor& x) const { return (*this)(x, {.compute = compute_}); }
    /// Computes in OpPrecision::compute and returns this dtype. Uses float32 on the scaled level, and if float16 cannot
    /// hold the weight.
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;

    /// Returns gelu(x W^T + b) with the tanh approximation. Rounds the product to the op's dtype before the GELU,
    /// unless the device may compute both at once (FastPath::gelu_product).
    Tensor with_gelu(const Tensor& x, const OpPrecision& op) const;
    /// Returns true if with_gelu() computes the product and the GELU at once, which rounds differently.
    bool fuses_gelu(const Tensor& x, const OpPrecision& op) const;

    /// Returns the precision that the op uses when `wanted` is requested: float32 instead of float16 if float16 cannot
    /// hold the weight.
    OpPrecision fit(const OpPrecision& wanted) const { return weight_.fit(wanted); }
    /// Returns the dtype to which an input may be converted before the op, see operand_dtype.
    Dtype input_dtype(const OpPrecision& wanted) const;

    /// Returns the weight that `op` multiplies with, in its storage dtype; a quantized weight is dequantized.
    Tensor weight(const OpPrecision& op = {}) const;
    /// Returns the bias in float32.
    const Tensor& bias() const { return bias_; }
    /// Returns the dtype to which the planned op rounds the factors of its products, or nullopt if it is the compute
    /// dtype.
    std::optional<Dtype> rounds_to() const;

private:
    Tensor exact_product(const Tensor& x, const OpPrecision& op) const;
    Tensor narrow_product(const Tensor& x, const OpPrecision& op) const;
    const Tensor& bias_in(Dtype dtype) const;
    Linear(LinearWeight weight, const Tensor& bias, const Precision& precision, const std::string& name);

    LinearWeight weight_;
    Tensor bias_;
    Dtype compute_ = at::kFloat;
    mutable Tensor gain_ = {};         ///< product_gain of the weight; undefined until the first scaled product
    mutable Tensor narrow_bias_ = {};  ///< the bias in the dtype of the last product in 16 bits
};

}  // namespace kinescope
