#pragma once

#include <string>

#include "core/models/observed_ops.h"
#include "core/models/wan/attention.h"
#include "core/nn/feed_forward.h"
#include "core/nn/modulation.h"
#include "core/numerics/probe.h"

namespace kinescope::wan {

/// The inputs of a block in addition to the tokens.
struct BlockInput {
    const Tensor& modulation;     ///< float32 [n, 6, D]: for the timestep and, if n = 2, for timestep 0
    std::int64_t clean_tokens;    ///< if n = 2: number of leading tokens at timestep 0
    const Tensor& rotary;         ///< [L, head_dim / 2]
    const CrossContext& context;  ///< projected with attn2_op
    OpPrecision attn2_op;
    const NegativeContext* negative = nullptr;  ///< null: without normalized attention guidance
};

/// Self-attention, cross-attention and feed-forward around a float32 residual stream, modulated by the timestep.
/// Sites: "<name>.attn1", "<name>.attn2", "<name>.ffn", and the inner sites of Attention and FeedForward.
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// Returns the tokens after the block, with their statistics if they are known. `hidden_states` is [1, L, D]
    /// float32.
    ObservedSum forward(const Tensor& hidden_states, const BlockInput& input, const ForwardContext& context) const;
    /// Returns the current precision of cross-attention.
    OpPrecision attn2_op(const ForwardContext& context) const { return context.op(name_ + ".attn2", precision_); }
    KeyValue project_text(const Tensor& text, const OpPrecision& op, const ForwardContext& context) const {
        return attn2_.project_text(text, {context, name_ + ".attn2", op, SiteKind::attention});
    }
    KeyValue project_image(const Tensor& image, const OpPrecision& op, const ForwardContext& context) const {
        return attn2_.project_image(image, {context, name_ + ".attn2", op, SiteKind::attention});
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

/// Returns the modulation rows of the tokens. `rows` is [n, D]; an optional second row applies to the first
/// `clean_tokens` tokens, which are at timestep 0.
TokenRows per_token(const Tensor& rows, std::int64_t clean_tokens);

}  // namespace kinescope::wan
