#pragma once

#include <string>

#include "core/models/cogvideox/attention.h"
#include "core/numerics/probe.h"

namespace kinescope::cogvideox {

/// The inputs of a block in addition to the tokens.
struct BlockInput {
    const Tensor& time;    ///< silu of the time embedding, float32 [1, time_embed_dim]
    const Tensor& rotary;  ///< [L, head_dim / 2]; undefined: none
    std::int64_t text_tokens = 0;
};

/// The tokens that a block returns. The text tokens of the last block are not used.
enum class Wanted { text_and_video, video };

/// A layer norm that the timestep modulates: shared weights, with separate shift, scale and gate for text and video.
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

/// Joint attention and feed-forward for text and video, with a float32 residual stream.
/// Sites: "<name>.attn1", "<name>.ff.net.0", "<name>.ff.net.2".
class TransformerBlock {
public:
    TransformerBlock(const WeightScope& scope, std::string name, const TransformerConfig& config,
                     const Precision& precision);

    /// Returns the wanted rows. `hidden_states` is [1, L, D] float32, text rows first.
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

/// Returns the precision of layers that process the timestep: storage from the policy, computation in float32.
Precision modulation_precision(Precision precision);

}  // namespace kinescope::cogvideox
