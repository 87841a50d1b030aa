#pragma once

#include <cstdint>

#include "core/device/precision.h"
#include "core/nn/modulation.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Mean and variance over the last dimension, without weights. Any dtype in, float32 out.
Tensor layer_norm(const Tensor& x, double eps);

/// Layer norm with weight and bias of shape [dim], in float32. Any dtype in, float32 out.
class LayerNorm {
public:
    LayerNorm() = default;
    LayerNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision);
    Tensor operator()(const Tensor& x) const;
    /// Of [1, L, dim], times 1 + scale, plus shift.
    Tensor modulated(const Tensor& x, const TokenRows& scale, const TokenRows& shift) const {
        return modulated_layer_norm(x, {.weight = weight_, .bias = bias_, .eps = eps_}, scale, shift);
    }

private:
    Tensor weight_;
    Tensor bias_;
    double eps_ = 0;
};

/// x / sqrt(mean(x^2) + eps) * weight over the last dimension, in float32. Any dtype in, float32 out.
class RMSNorm {
public:
    RMSNorm() = default;
    RMSNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision);
    /// From a tensor at hand, `weight` [dim].
    RMSNorm(const Tensor& weight, double eps, const Precision& precision);
    Tensor operator()(const Tensor& x) const;

private:
    Tensor weight_;
    double eps_ = 0;
};

}  // namespace kinescope
