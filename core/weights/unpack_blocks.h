#pragma once

#include "core/device/tensor.h"
#include "core/weights/packing.h"

namespace kinescope {

/// The numbers of GGUF's blocks: `blocks` uint8 [n, block_size(packing).bytes] on any device -> float32 [n, numbers].
/// Computed in float32 in the order in which ggml does it. Layouts: ggml-common.h and ggml-quants.c of
/// https://github.com/ggml-org/ggml
Tensor unpack_blocks(const Tensor& blocks, Packing packing);

/// The float16 scales of the blocks, float16 [n, 1 or 2]: not finite means that the whole block is not.
Tensor block_scales(const Tensor& blocks, Packing packing);

}  // namespace kinescope
