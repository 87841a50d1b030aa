#include "core/models/evaluation_work.h"

namespace kinescope {

double evaluation_work(const TransformerSizes& sizes) {
    const auto tokens = static_cast<double>(sizes.tokens);
    const auto dim = static_cast<double>(sizes.dim);
    const auto context = static_cast<double>(sizes.context_tokens);
    // The queries and the output of each attention; keys and values of self-attention only.
    const double projections = (sizes.context_tokens > 0 ? 6 : 4) * dim * dim;
    const double attention = 2 * (tokens + context) * dim;
    const double feed_forward = 2 * dim * static_cast<double>(sizes.inner_dim);
    return static_cast<double>(sizes.layers) * tokens * (projections + attention + feed_forward);
}

}  // namespace kinescope
