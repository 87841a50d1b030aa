#pragma once

#include <cstdint>

#include "core/device/op_precision.h"
#include "core/device/precision.h"
#include "core/weights/weight_store.h"

namespace kinescope {

struct Conv2dConfig {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 3;  ///< odd; the picture keeps its size
};

/// A convolution of pictures that lie channels-last: [N, H, W, in] -> [N, H, W, out]. Any dtype in,
/// Precision::compute out, or as the guard raised it.
class Conv2d {
public:
    Conv2d() = default;
    Conv2d(const WeightScope& scope, const Conv2dConfig& config, const Precision& precision);
    /// `weight` [out, in, k, k] of a model with k odd.
    Conv2d(const Tensor& weight, const Tensor& bias, const Precision& precision);

    Tensor operator()(const Tensor& pictures) const { return (*this)(pictures, {.compute = compute_}); }
    /// Returns OpPrecision::compute, or float32 on the scaled rung.
    Tensor operator()(const Tensor& pictures, const OpPrecision& op) const;

private:
    Tensor weight_;
    Tensor bias_;
    Dtype compute_ = at::kFloat;
};

}  // namespace kinescope
