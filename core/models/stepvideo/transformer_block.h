#pragma once

#include <string>

#include "core/models/stepvideo/attention.h"
#include "core/nn/feed_forward.h"
#include "core/numerics/probe.h"

namespace kinescope::stepvideo {

/// The inputs of a block in addition to the tokens.
struct BlockInput {
    const Tensor& modulation;  ///< float32 [1, 6, D], for the timestep
    const RotaryTable& rotary;
    const Tensor& context;  ///< [1, n, D]: the projected prompt states
};

/// Self-attention, cross-attention and feed-forward around a float32 residual stream. The timestep modulates
/// self-attention and feed-forward; cross-attention has neither norm nor gate.
/// Sites: "<name>.attn1", "<name>.attn2", "<name>.ffn", and the inner sites of the attentions and FeedForward.
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
    Tensor scale_shift_table_;  ///< [6, D]: shift, scale, gate of attn1, then of ffn
    LayerNorm norm1_;
    SelfAttention attn1_;
    CrossAttention attn2_;
    LayerNorm norm2_;
    FeedForward ff_;
};

}  // namespace kinescope::stepvideo
