#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

// What differs on MPS, beside the dtypes (core/device/dtype_support.h). Norms need no rule: they are computed in
// float32 on every device.

/// The most rows of queries in one attention call; 0: no bound. Above about 15,000 rows, MPS returns wrong values
/// without an error (known_bad.json).
std::int64_t max_attention_rows(const Device& device);

/// How blocks of weights reach a device: on a stream of their own from pinned memory, beside the computation, or in the
/// order of the other ops. Only CUDA has the former; MPS shares the main memory.
enum class BlockTransfer { in_order, beside_computation };
BlockTransfer block_transfer(const Device& device);

}  // namespace kinescope
