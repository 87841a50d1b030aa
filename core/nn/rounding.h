#pragma once

#include "core/nn/attention.h"
#include "core/nn/conv2d.h"
#include "core/weights/stored_weight.h"

namespace kinescope {

/// Measures what the precision of an op costs. A part of each of its products is computed again in float32 on the same
/// device, from the operands before they were narrowed, and OpPrecision::listener hears the result: see
/// RoundingListener. Without a listener, and in float32, these functions do nothing. None of them waits for the device.

/// 16 rows of `y` = x W^T + b.
void measure_linear(const OpPrecision& op, const Tensor& x, const StoredWeight& weight, const Tensor& bias,
                    const Tensor& y);

/// 8 x 8 places in the middle of the first picture of a convolution.
struct ConvolutionPart {
    const Tensor& pictures;  ///< [N, H, W, in]
    const Tensor& weight;    ///< [out, in, k, k]
    const Tensor& bias;
    std::int64_t stride = 1;
    std::int64_t before = 0;  ///< rows and columns of zeros
};
void measure_convolution(const OpPrecision& op, const ConvolutionPart& part, const Tensor& y);

/// 8 queries of every head of `y` = attention(`input`).
void measure_attention(const OpPrecision& op, const AttentionInput& input, const Tensor& y);

/// `x` in the type that the op computes in, which is float32 on the scaled rung. Measured like a product.
Tensor narrowed(const Tensor& x, const OpPrecision& op);

}  // namespace kinescope
