#pragma once

#include <string>

#include "core/models/wan/attention.h"
#include "core/nn/feed_forward.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

/// What a block is given besides the tokens.
struct BlockInput {
    const Tensor& modulation;  ///< [1, 6, D] of the timestep, float32
    const Tensor& rotary;      ///< [L, head_dim / 2]
    const KeyValue& text;      ///< projected with attn2_op
    OpPrecision attn2_op;
    const Tensor& key_bias;
};

/// Self-attention, cross-attention and feed-forward around a float32 residual stream, modulated by the timestep.
/// Sites: "<name>.attn1", "<name>.attn2", "<name>.ffn".
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// `hidden_states` [1, L, D] float32.
    Tensor forward(const Tensor& hidden_states, const BlockInput& input, const ForwardContext& context) const;
    /// How cross-attention computes now.
    OpPrecision attn2_op(const ForwardContext& context) const { return context.op(name_ + ".attn2", precision_); }
    KeyValue project_text(const Tensor& text, const OpPrecision& op) const { return attn2_.project_text(text, op); }
    const std::string& name() const { return name_; }

private:
    std::string name_;
    Precision precision_;
    double eps_;
    Tensor scale_shift_table_;  ///< [1, 6, D]: shift, scale, gate of attn1, then of ffn
    Attention attn1_;
    LayerNorm norm2_;
    Attention attn2_;
    FeedForward ffn_;
};

/// layer_norm(x) * (1 + scale) + shift, float32.
Tensor modulated_norm(const Tensor& x, const Tensor& shift, const Tensor& scale, double eps);

}  // namespace kinescope::wan
