#pragma once

#include <cstdint>

#include "core/device/op_precision.h"
#include "core/device/precision.h"
#include "core/weights/weight_store.h"

namespace kinescope {

enum class Bias { none, present };

struct LinearConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Bias bias = Bias::present;
};

/// x W^T + b over the last dimension. Input of any dtype; computes in Precision::compute, or as the guard raised it.
class Linear {
public:
    Linear() = default;
    Linear(const WeightScope& scope, const LinearConfig& config, const Precision& precision);
    /// From tensors at hand, `weight` [out, in]; `bias` may be undefined.
    Linear(Tensor weight, Tensor bias, const Precision& precision);

    Tensor operator()(const Tensor& x) const { return (*this)(x, {.compute = compute_}); }
    /// Returns OpPrecision::compute, or float32 on the scaled rung.
    Tensor operator()(const Tensor& x, const OpPrecision& op) const;

private:
    Tensor weight_;
    Tensor bias_;
    Dtype compute_ = at::kFloat;
};

}  // namespace kinescope
