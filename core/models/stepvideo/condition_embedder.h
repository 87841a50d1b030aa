#pragma once

#include "core/models/stepvideo/config.h"
#include "core/nn/linear.h"
#include "core/nn/timestep_embedding.h"
#include "core/numerics/probe.h"

namespace kinescope::stepvideo {

/// The timestep embeddings for the head and the blocks, float32.
struct TimeCondition {
    Tensor temb;        ///< [1, D], for the head
    Tensor modulation;  ///< [1, 6, D], for the blocks
};

/// Projects the timestep and the prompt's states to the width of the transformer. Sites: "adaln_single",
/// "caption_projection", "clip_projection".
class ConditionEmbedder {
public:
    ConditionEmbedder() = default;
    /// `scope` is that of the whole transformer.
    ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Embeds a `timestep` in [0, 1].
    TimeCondition time(double timestep, const ForwardContext& context) const;
    /// Returns the context of cross-attention, float32 [1, m + n, D]: CLIP states `clip` [1, m, ...], then Step-LLM
    /// states `llm` [1, n, ...], both without padding.
    Tensor texts(const Tensor& clip, const Tensor& llm, const ForwardContext& context) const;

private:
    Precision precision_;
    TimestepEmbedding timestep_embedder_;
    Linear adaln_linear_;
    Linear caption_linear_1_, caption_linear_2_;
    Linear clip_projection_;
};

}  // namespace kinescope::stepvideo
