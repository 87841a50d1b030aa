#pragma once

#include <cstdint>
#include <optional>

#include "core/device/tensor.h"

namespace kinescope {

/// x W^T + b over the last dimension, in float32; `weight` [out, in] and `bias`, which may be undefined, of any dtype.
/// On a CPU with AVX-512 a weight of float32 or 16 bits is read as it is stored and widened a piece at a time on its
/// way into the cache, where a library would want a float32 copy of it: at 1280 rows that is 3 to 12 % faster than to
/// widen first (measured: 324, 317 and 315 against 303, 283 and 307 GFLOP/s for Wan's 1536, 1536 to 8960 and back). Few
/// rows read the weight in its order, once for four of them. The same bits whatever the number of threads.
Tensor linear_product(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// y += x W^T, of contiguous rows [L, in] and [L, out] float32.
void add_linear_product(const Tensor& y, const Tensor& x, const Tensor& weight);

/// From how many rows of x on a weight of 16 bits costs no more than one of float32; none: on this CPU it always does.
std::optional<std::int64_t> rows_for_free_widening();

}  // namespace kinescope
