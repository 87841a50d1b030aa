#pragma once

#include "core/device/op_precision.h"
#include "core/weights/stored_weight.h"

namespace kinescope {

/// Returns true if x W^T is multiplied directly in int8: on a CPU, with a weight from quantize_int8, in an op planned
/// in float32. In all other cases, and if the guard has raised the op, the weight is dequantized.
bool multiplies_int8(const StoredWeight& weight, const OpPrecision& op);

/// Returns x W^T + b over the last dimension, in float32. Rounds each row of x to int8 with its own scale; sums the
/// products exactly in int32. Multiplies rows with outliers (see kInt8Crest) and all additions to the weight in
/// float32. A row with NaN or infinity becomes NaN.
Tensor int8_linear(const Tensor& x, const StoredWeight& weight, const Tensor& bias);

}  // namespace kinescope
