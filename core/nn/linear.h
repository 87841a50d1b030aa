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

/// x W^T + b over the last dimension. Input of any dtype; computes in Precision::compute, or as the guard raised it. A
/// weight that is kept quantised is dequantised to that dtype each time, but for int8 on a CPU (int8_linear).
class Linear {
public:
    Linear() = default;
    Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision);
    /// From tensors at hand, `weight` [out, in]; `bias` may be undefined. `name` is for the log.
    Linear(const Tensor& weight, const Tensor& bias, const Precision& precision, const std::string& name = {});

    Tensor operator()(const Tensor& x) const { return (*this)(x, {.compute = compute_}); }
    /// Returns OpPrecision::compute; float32 on the scaled rung, and where float16 cannot hold the weight.
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;

    /// How the op computes that is asked for as `wanted`: in float32 where float16 cannot hold the weight.
    OpPrecision fit(const OpPrecision& wanted) const { return weight_.fit(wanted); }

    /// As they are kept.
    Tensor weight() const {
        return weight_.stored.is_quantised() ? weight_.stored.dequantize(compute_) : weight_.stored.data;
    }
    const Tensor& bias() const { return bias_; }
    /// What the factors of its products become as planned, where that is not its compute dtype.
    std::optional<Dtype> rounds_to() const;

private:
    Tensor narrow_product(const Tensor& x, const OpPrecision& op) const;
    Linear(LinearWeight weight, const Tensor& bias, const Precision& precision, const std::string& name);

    LinearWeight weight_;
    Tensor bias_;
    Dtype compute_ = at::kFloat;
};

}  // namespace kinescope
