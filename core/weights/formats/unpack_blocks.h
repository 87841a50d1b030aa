#pragma once

#include "core/device/tensor.h"
#include "core/weights/packing.h"

namespace kinescope {

/// Unpacks GGUF blocks on any device: `blocks` uint8 [n, block_size(packing).bytes] -> float32 [n, values per block].
/// Computes in float32 in the same order as ggml. Layouts: ggml-common.h and ggml-quants.c of
/// https://github.com/ggml-org/ggml
Tensor unpack_blocks(const Tensor& blocks, Packing packing);

/// Returns the float16 scales of the blocks: float16 [n, 1 or 2]. If a scale is NaN or infinite, the whole block is.
Tensor block_scales(const Tensor& blocks, Packing packing);

}  // namespace kinescope
