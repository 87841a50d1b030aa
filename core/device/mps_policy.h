#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

// Rules that differ on MPS, in addition to its dtypes (core/device/dtype_support.h). Norms need no rule, because they
// are computed in float32 on every device.

/// Returns the maximum number of query rows in one attention call; 0 means no limit. Above about 15,000 rows, MPS
/// returns wrong values without an error (known_bad.json).
std::int64_t max_attention_rows(const Device& device);

/// How the weights of blocks are copied to a device: in order with the other ops, or from pinned memory on a separate
/// stream during the computation. Only CUDA supports the latter; MPS shares the main memory.
enum class BlockTransfer { in_order, beside_computation };
BlockTransfer block_transfer(const Device& device);

}  // namespace kinescope
