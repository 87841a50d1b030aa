#pragma once

#include "core/device/tensor.h"
#include "core/weights/packing.h"

namespace kinescope {

/// Unpacks GGUF blocks: `blocks` uint8 [n, block_size(packing).bytes] on any device -> float32 [n, values per block].
/// Computes in float32 in the same order as ggml. Layouts: ggml-common.h and ggml-quants.c of
/// https://github.com/ggml-org/ggml
Tensor unpack_blocks(const Tensor& blocks, Packing packing);

/// The float16 scales of the blocks: float16 [n, 1 or 2]. If a scale is NaN or infinite, so is the whole block.
Tensor block_scales(const Tensor& blocks, Packing packing);

}  // namespace kinescope
