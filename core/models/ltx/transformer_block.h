#pragma once

#include <string>

#include "core/models/ltx/attention.h"
#include "core/models/ltx/token_times.h"
#include "core/nn/feed_forward.h"

namespace kinescope::ltx {

/// The inputs of a block in addition to the tokens.
struct BlockInput {
    const Tensor& modulation;  ///< float32 [timesteps, 6, D]
    const std::vector<TokenSegment>& segments;
    const Tensor& rotary;  ///< complex64 [L, D / 2]
    const Tensor& text;    ///< [1, n, D]
};

/// Self-attention, cross-attention to the text, and feed-forward around a float32 residual stream. Sites:
/// "<name>.attn1", "<name>.attn2", "<name>.ff".
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// Returns the tokens after the block. `hidden_states` is [1, L, D] float32.
    Tensor forward(const Tensor& hidden_states, const BlockInput& input, const ForwardContext& context) const;
    const std::string& name() const { return name_; }

private:
    std::string name_;
    Precision precision_;
    double eps_;
    Tensor scale_shift_table_;  ///< [6, D]: shift, scale and gate of attention, then of the feed-forward
    Attention attn1_;
    Attention attn2_;
    FeedForward ff_;
};

}  // namespace kinescope::ltx
