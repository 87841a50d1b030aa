#pragma once

#include "core/nn/attention.h"
#include "core/nn/conv2d.h"
#include "core/nn/norm_silu.h"
#include "core/nn/parameter.h"

namespace kinescope {

/// Functions that measure the rounding error of an op. They recompute a sample of each of its products in float32 on
/// the same device, from the operands before their conversion to 16 bits, and pass the result to OpPrecision::listener
/// (see RoundingListener). They do nothing without a listener or if the op computes in float32, and do not wait for the
/// device.

/// Returns the dtype to which an input of a product may be converted before the op without a change of the result: the
/// op's own, or float32 if the op needs all digits because it scales its operands, computes in float32 or is measured.
Dtype operand_dtype(const OpPrecision& op);

/// Samples 16 rows of `y` = x W^T + b. The rounding of x and W before this op cannot be measured, so its expected
/// effect is added.
struct LinearPart {
    const Tensor& x;
    const LinearWeight& weight;
    const Tensor& bias;
};
void measure_linear(const OpPrecision& op, const LinearPart& part, const Tensor& y);
/// The same for a kernel that applies the next op to the sums without rounding them: only the operands are rounded.
void measure_unrounded_linear(const OpPrecision& op, const LinearPart& part);

/// Samples 8 x 8 pixels in the middle of the first image of a convolution.
struct ConvolutionPart {
    const Tensor& pictures;  ///< [N, H, W, in]
    const Tensor& weight;    ///< [out, in, k, k]
    const Tensor& bias;
    std::int64_t stride = 1;
    std::int64_t before = 0;  ///< rows and columns of zero padding before the image
};
void measure_convolution(const OpPrecision& op, const ConvolutionPart& part, const Tensor& y);

/// Samples 8 queries of every head of `y` = attention(`input`). Queries, keys and values come from products of the same
/// op. The expected effect of their rounding is added, because large scores amplify it.
void measure_attention(const OpPrecision& op, const AttentionInput& input, const Tensor& y);

/// Samples pixels of x[0] for a group norm of x [N, ..., C], whose result the op reads. Adds the expected effect of
/// rounding before the norm: it amplifies the rounding of values whose deviation in a group is small relative to their
/// mean.
void measure_group_norm(const OpPrecision& op, const Tensor& x, const GroupNormParameters& norm);

/// Converts `x` to the dtype of the op (float32 on the scaled level), and measures the error of this conversion like
/// that of a product.
Tensor narrowed(const Tensor& x, const OpPrecision& op);

}  // namespace kinescope
