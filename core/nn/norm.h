#pragma once

#include <cstdint>

#include "core/device/precision.h"
#include "core/nn/modulation.h"
#include "core/weights/weight_store.h"

namespace kinescope {

/// Returns the layer norm over the last dimension, without weights. Accepts any dtype and returns float32.
Tensor layer_norm(const Tensor& x, double eps);

/// Returns the layer norm over the last dimension with weight and bias [dim], computed in float32 and converted to
/// `result`. Accepts any dtype.
Tensor layer_norm(const Tensor& x, const LayerNormParameters& norm, Dtype result);

/// Layer norm with weight and bias of shape [dim], in float32. Accepts any dtype. Returns float32, or what it is
/// converted to.
class LayerNorm {
public:
    LayerNorm() = default;
    LayerNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision);
    Tensor operator()(const Tensor& x, Dtype result = at::kFloat) const { return layer_norm(x, parameters_, result); }
    /// Returns layer_norm(x) * (1 + scale) + shift for x [1, L, dim].
    Tensor modulated(const Tensor& x, const TokenRows& scale, const TokenRows& shift) const {
        return modulated_layer_norm(x, parameters_, scale, shift);
    }
    const LayerNormParameters& parameters() const { return parameters_; }

private:
    LayerNormParameters parameters_;
};

/// Computes x / sqrt(mean(x^2) + eps) * weight over the last dimension, in float32. Accepts any dtype. Returns float32,
/// or what it is converted to.
class RMSNorm {
public:
    RMSNorm() = default;
    RMSNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision);
    /// Uses an existing tensor `weight` [dim].
    RMSNorm(const Tensor& weight, double eps, const Precision& precision);
    Tensor operator()(const Tensor& x, Dtype result = at::kFloat) const;
    /// Returns apply_rotary of the norm of x [1, L, H * D], split into heads: [1, L, H, D]. `table` is [L, D / 2].
    Tensor rotated(const Tensor& x, const Tensor& table, Dtype result) const;

private:
    Tensor weight_;
    double eps_ = 0;
};

}  // namespace kinescope
