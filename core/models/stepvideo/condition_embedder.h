#pragma once

#include "core/models/stepvideo/config.h"
#include "core/nn/linear.h"
#include "core/nn/timestep_embedding.h"
#include "core/numerics/probe.h"

namespace kinescope::stepvideo {

/// What a timestep says to the blocks and to the head; float32.
struct TimeCondition {
    Tensor temb;        ///< [1, D], for the head
    Tensor modulation;  ///< [1, 6, D], for the blocks
};

/// Time and texts to the width of the transformer. Sites: "adaln_single", "caption_projection", "clip_projection".
class ConditionEmbedder {
public:
    ConditionEmbedder() = default;
    /// `scope`: the whole transformer's.
    ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// `timestep`: 0..1.
    TimeCondition time(double timestep, const ForwardContext& context) const;
    /// The texts that the blocks attend to, float32 [1, m + n, D]: CLIP's `clip` [1, m, ...] first, then Step-LLM's
    /// `llm` [1, n, ...], real tokens only.
    Tensor texts(const Tensor& clip, const Tensor& llm, const ForwardContext& context) const;

private:
    Precision precision_;
    TimestepEmbedding timestep_embedder_;
    Linear adaln_linear_;
    Linear caption_linear_1_, caption_linear_2_;
    Linear clip_projection_;
};

}  // namespace kinescope::stepvideo
