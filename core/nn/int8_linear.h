#pragma once

#include "core/device/op_precision.h"
#include "core/weights/stored_weight.h"

namespace kinescope {

/// Whether x W^T is multiplied in int8 as it lies in memory: a weight of quantize_int8 on a CPU, in an op that is
/// planned in float32. Elsewhere, and where the guard has raised the op, the weight is dequantised.
bool multiplies_int8(const StoredWeight& weight, const OpPrecision& op);

/// x W^T + b over the last dimension, float32. Each row of x is rounded to int8 by a scale of its own; products are
/// summed up in int32, exactly. Rows whose largest number dwarfs the others (kInt8Crest) are multiplied in float32, and
/// so is every addition to the weight. A row with NaN or Inf becomes NaN.
Tensor int8_linear(const Tensor& x, const StoredWeight& weight, const Tensor& bias);

}  // namespace kinescope
