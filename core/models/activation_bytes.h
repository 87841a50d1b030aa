#pragma once

#include <cstdint>

#include "core/api/resolved_request.h"
#include "core/device/precision.h"

namespace kinescope {

/// Returns the number of CPU threads with which a request runs.
int cpu_threads(const ResolvedCompute& compute);

/// The tensor sizes of a transformer block.
struct BlockSizes {
    std::int64_t tokens = 0;
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;  ///< hidden width of the feed-forward layers
    std::int64_t head_dim = 0;
    int threads = 1;  ///< of the CPU
    Precision precision = {};
};

/// Returns the peak activation bytes of a denoiser block: the larger of attention (float32 stream, its norm, queries,
/// keys and values before and after norm and rotation, operands, result, and what a CPU packs or copies) and
/// feed-forward (inner states and the attention results). Derived from the code of core/models. The peak measured on a
/// CPU was within 6 % of it (widths of Wan 1.3B and CogVideoX-2B, 768 to 2304 tokens).
std::int64_t transformer_bytes(const BlockSizes& block);

/// Returns the peak activation bytes of a block of a text encoder, which keeps its attention scores [H, N, N] in
/// memory.
std::int64_t encoder_bytes(const BlockSizes& block, std::int64_t num_heads);

/// The tensor sizes of a residual block of causal convolutions at the decoder's full resolution.
struct DecoderSizes {
    std::int64_t frames = 0;       ///< per chunk
    std::int64_t pixels = 0;       ///< per frame
    std::int64_t in = 0;           ///< input channels
    std::int64_t out = 0;          ///< output channels
    std::int64_t past_frames = 0;  ///< cached by all layers of this size together
    Precision precision = {};
};

/// Returns the peak activation bytes of a residual block: input, norm, result and cached frames, plus the frames that a
/// convolution stacks unless it reads them in place (see core/nn/cpu/winograd.h). The peak measured on a CPU was 0.9 to
/// 1.05 times this value (widths of the published models, 128x128 to 256x256 pixels).
std::int64_t decoder_bytes(const DecoderSizes& sizes);

}  // namespace kinescope
