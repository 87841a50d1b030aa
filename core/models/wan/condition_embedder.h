#pragma once

#include "core/models/wan/config.h"
#include "core/nn/linear.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::wan {

/// What a timestep says to the blocks and to the head; float32.
struct TimeCondition {
    Tensor temb;        ///< [1, D]
    Tensor modulation;  ///< [1, 6, D]
};

/// Timestep and text to the width of the transformer.
class ConditionEmbedder {
public:
    ConditionEmbedder() = default;
    ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    TimeCondition time(double timestep) const;
    /// [1, n, text_dim] -> [1, n, D] in the op's dtype.
    Tensor text(const Tensor& prompt_embeds, const OpPrecision& op) const;

private:
    TimestepEmbedding time_embedder_;
    Linear time_proj_;
    Linear text_linear_1_;
    Linear text_linear_2_;
};

}  // namespace kinescope::wan
