#pragma once

#include <string>

#include "core/models/cogvideox/attention.h"
#include "core/numerics/probe.h"

namespace kinescope::cogvideox {

/// What a block is given besides the tokens.
struct BlockInput {
    const Tensor& time;    ///< silu of the time embedding, float32 [1, time_embed_dim]
    const Tensor& rotary;  ///< [L, head_dim / 2]; undefined: none
    std::int64_t text_tokens = 0;
};

/// Which tokens a block works out. Nobody reads the text of the last one.
enum class Wanted { text_and_video, video };

/// A layer norm that the timestep modulates: one set of weights, but shift, scale and gate of text and of video each.
class ModulatedNorm {
public:
    ModulatedNorm(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    struct Result {
        Tensor normed;  ///< float32 [1, L, D], text rows first
        TokenRows gate;
    };
    Result operator()(const Tensor& hidden_states, const BlockInput& input) const;

private:
    Linear linear_;
    LayerNorm norm_;
};

/// Attention and feed-forward over text and video together, around a float32 residual stream.
/// Sites: "<name>.attn1", "<name>.ff.net.0", "<name>.ff.net.2".
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// `hidden_states` [1, L, D] float32, text rows first; the result has the wanted ones.
    Tensor forward(const Tensor& hidden_states, const BlockInput& input, Wanted wanted,
                   const ForwardContext& context) const;
    const std::string& name() const { return name_; }

private:
    Tensor feed_forward(const Tensor& x, const ForwardContext& context) const;

    std::string name_;
    Precision precision_;
    ModulatedNorm norm1_;
    Attention attn1_;
    ModulatedNorm norm2_;
    Linear ff_in_, ff_out_;
};

/// Precision of what the timestep decides: stored as the policy says, computed in float32.
Precision modulation_precision(Precision precision);

}  // namespace kinescope::cogvideox
