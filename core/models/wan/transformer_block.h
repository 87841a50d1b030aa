#pragma once

#include <string>

#include "core/models/wan/attention.h"
#include "core/nn/feed_forward.h"
#include "core/nn/modulation.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

/// What a block is given besides the tokens.
struct BlockInput {
    const Tensor& modulation;     ///< [n, 6, D] float32: of the timestep and, for n = 2, of timestep 0
    std::int64_t clean_tokens;    ///< the first tokens that are at timestep 0, for n = 2
    const Tensor& rotary;         ///< [L, head_dim / 2]
    const CrossContext& context;  ///< projected with attn2_op
    OpPrecision attn2_op;
};

/// Self-attention, cross-attention and feed-forward around a float32 residual stream, modulated by the timestep.
/// Sites: "<name>.attn1", "<name>.attn2", "<name>.ffn", and inside of them those of Attention and FeedForward.
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// `hidden_states` [1, L, D] float32.
    Tensor forward(const Tensor& hidden_states, const BlockInput& input, const ForwardContext& context) const;
    /// How cross-attention computes now.
    OpPrecision attn2_op(const ForwardContext& context) const { return context.op(name_ + ".attn2", precision_); }
    KeyValue project_text(const Tensor& text, const OpPrecision& op, const ForwardContext& context) const {
        return attn2_.project_text(text, {context, name_ + ".attn2", op});
    }
    KeyValue project_image(const Tensor& image, const OpPrecision& op, const ForwardContext& context) const {
        return attn2_.project_image(image, {context, name_ + ".attn2", op});
    }
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

/// Rows of modulation by timestep, [n, D]: the second one, if there is one, is of the clean tokens.
TokenRows per_token(const Tensor& rows, std::int64_t clean_tokens);

}  // namespace kinescope::wan
