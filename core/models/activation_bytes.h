#pragma once

#include <cstdint>

#include "core/device/precision.h"

namespace kinescope {

/// A block of attention and feed-forward, as its tensors lie in memory.
struct BlockSizes {
    std::int64_t tokens = 0;
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;  ///< of the feed-forward
    Dtype compute = at::kFloat;
};

/// Bytes that a denoiser's block works on when that is most: the float32 stream and its norm, queries, keys and values
/// before and after their norm and rotation, attention's operands and result; or the feed-forward's inner states beside
/// the results of attention, which stay to the block's end. Counted from the blocks of core/models; what was in use at
/// most on a CPU was within 6 % of it (widths of Wan 1.3B and CogVideoX-2B, 768 to 2304 tokens).
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
    Precision precision = {};
};

/// Bytes that it works on when that is most: its input, the norm of that and a result, beside what is remembered; where
/// convolutions do not read frames in place (see core/nn/winograd.h), also what they put side by side. On a CPU, widths
/// of the published models and 128x128 to 256x256 pixels, 0.9 to 1.05 of it was in use at most.
std::int64_t decoder_bytes(const DecoderSizes& sizes);

}  // namespace kinescope
