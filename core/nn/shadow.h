#pragma once

#include "core/nn/attention.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Functions that recompute parts of an op's result in float32 on the CPU, to find kernels that return wrong finite
/// values. The copied inputs stay on their device, in their dtype, until ShadowPart::reference is called.

/// Samples 64 rows of the input and 256 columns of the output of `y` = linear(`x`, `op`).
ShadowPart shadow_of(const Linear& linear, const Tensor& x, const Tensor& y, const OpPrecision& op = {});
/// Samples 64 queries of the first head of `y` = attention(`input`).
ShadowPart shadow_of(const AttentionInput& input, const Tensor& y);
/// Samples 8 x 8 pixels in the middle of the first image, and 64 channels, of `y` = conv(`pictures`, `op`), with stride
/// 1 and padding `around`.
ShadowPart shadow_of(const Conv2d& conv, const Tensor& pictures, const Tensor& y, const OpPrecision& op = {});

/// The same in two steps, for inputs that do not exist as a whole. Returns a copy of the pixels of `pictures`
/// [N, H, W, C] from which these 8 x 8 pixels are computed, with zeros outside of the images.
Tensor input_of_middle(const Conv2d& conv, const Tensor& pictures);
/// `input` is input_of_middle() of the first image, [1, h, w, in].
ShadowPart shadow_of_middle(const Conv2d& conv, const Tensor& input, const Tensor& y, const OpPrecision& op);

}  // namespace kinescope
