#pragma once

#include <cstdint>

namespace kinescope {

/// The sizes of a denoiser that consists of equal transformer blocks.
struct TransformerSizes {
    std::int64_t tokens = 0;
    std::int64_t dim = 0;
    std::int64_t inner_dim = 0;  ///< hidden width of the feed-forward layers
    std::int64_t layers = 0;
    std::int64_t context_tokens = 0;  ///< of the text, if the blocks have cross-attention; 0: they have none
};

/// Returns the multiply-adds of one evaluation, batch 1: the projections of the tokens, attention, whose part grows
/// with the square of the tokens, and the feed-forward layers. Leaves out embeddings, norms, and the projections of the
/// text.
double evaluation_work(const TransformerSizes& sizes);

}  // namespace kinescope
