#pragma once

#include <cstdint>
#include <optional>

#include "core/device/tensor.h"

namespace kinescope {

/// Returns x W^T + b over the last dimension, in float32. `weight` [out, in] and `bias` (may be undefined) may have any
/// dtype. On a CPU with AVX2 or AVX-512, reads float32 and 16-bit weights in their storage dtype and widens them in
/// small parts on the way into the cache, instead of making a float32 copy. With AVX-512 and 1280 rows, this is 3 to 12
/// % faster than widening first (measured: 324, 317 and 315 against 303, 283 and 307 GFLOP/s for Wan's layers 1536 to
/// 1536, 1536 to 8960 and back); tests/bench/kernel_bench.cpp measures it. With few rows, reads the weight in order,
/// once per four rows. Copies some rows of x at a time if they would evict each other from the cache. Results do not
/// depend on the number of threads.
Tensor linear_product(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// Computes y += x W^T for contiguous float32 rows, [L, in] and [L, out].
void add_linear_product(const Tensor& y, const Tensor& x, const Tensor& weight);

/// Returns the memory for the copies of rows that linear_product makes of a contiguous x [rows, in], or 0 if it reads
/// them in place.
std::int64_t linear_product_bytes(std::int64_t rows, std::int64_t in);

/// Returns the minimum number of rows of x for which a 16-bit weight costs no more than a float32 weight. Returns
/// nullopt if a 16-bit weight always costs more on this CPU.
std::optional<std::int64_t> rows_for_free_widening();

}  // namespace kinescope
