#pragma once

#include <optional>

#include "core/models/wan/transformer_block.h"

namespace kinescope::wan {

/// A block of VACE's side branch: a transformer block on the control stream, and the projection of that stream to the
/// hint that is added to the main stream. The first block also projects its input and adds the embedded latents. Sites:
/// those of TransformerBlock, "<name>.proj_in" (first block), "<name>" (the stream after the block) and
/// "<name>.proj_out" (the hint).
class VaceBlock {
public:
    VaceBlock(const WeightScope& scope, std::int64_t index, const TransformerConfig& config,
              const Precision& precision);

    /// The control stream after this block. `control` and `hidden_states`, the embedded latents, are float32
    /// [1, L, D]; only the first block uses the latter.
    Tensor forward(const Tensor& control, const Tensor& hidden_states, const BlockInput& input,
                   const ForwardContext& context) const;
    /// The hint for the main stream, float32 [1, L, D], before its scale.
    Tensor hint(const Tensor& control, const ForwardContext& context) const;
    const TransformerBlock& block() const { return block_; }

private:
    Precision precision_;
    TransformerBlock block_;
    std::optional<Linear> proj_in_;
    Linear proj_out_;
};

}  // namespace kinescope::wan
