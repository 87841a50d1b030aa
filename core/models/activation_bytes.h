#pragma once

#include <cstdint>

#include "core/device/tensor.h"

namespace kinescope {

/// A block of attention and feed-forward, as its tensors lie in memory.
struct BlockSizes {
    std::int64_t tokens = 0;
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;  ///< of the feed-forward
    Dtype compute = at::kFloat;
};

/// Bytes that a denoiser's block works on when that is most: the float32 stream and its norm, queries, keys and values
/// before and after their norm and rotation, attention's operands and result; or the feed-forward's inner states.
/// Counted from the blocks of core/models.
std::int64_t transformer_bytes(const BlockSizes& block);

/// The same of a text encoder, whose scores [H, N, N] are whole in memory.
std::int64_t encoder_bytes(const BlockSizes& block, std::int64_t num_heads);

/// A residual block of causal convolutions at a decoder's full size.
struct DecoderSizes {
    std::int64_t frames = 0;  ///< of a chunk
    std::int64_t pixels = 0;  ///< of a frame
    std::int64_t in = 0;      ///< channels
    std::int64_t out = 0;
    std::int64_t past_frames = 0;  ///< that the layers of this size remember, all together
    Dtype compute = at::kFloat;
};

/// Bytes that it works on when that is most.
std::int64_t decoder_bytes(const DecoderSizes& sizes);

}  // namespace kinescope
