#pragma once

#include "core/nn/attention.h"
#include "core/nn/conv2d.h"
#include "core/nn/linear.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// Parts of an op's result that are computed again in float32 on the CPU, to find kernels that are wrong and finite.
/// What is cut out stays on its device, in its dtype, until ShadowPart::reference is called.

/// 64 rows of the input and 256 columns of the output of `y` = linear(`x`).
ShadowPart shadow_of(const Linear& linear, const Tensor& x, const Tensor& y);
/// 64 queries of the first head of `y` = attention(`input`).
ShadowPart shadow_of(const AttentionInput& input, const Tensor& y);
/// 8 x 8 places in the middle of the first picture of `y` = conv(`pictures`), whose stride is 1 and whose zeros lie
/// around.
ShadowPart shadow_of(const Conv2d& conv, const Tensor& pictures, const Tensor& y);

}  // namespace kinescope
