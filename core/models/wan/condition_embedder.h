#pragma once

#include <vector>

#include "core/models/wan/config.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::wan {

/// The timestep embeddings for the head and the blocks, float32, with one row per timestep.
struct TimeCondition {
    Tensor temb;        ///< [n, D]
    Tensor modulation;  ///< [n, 6, D]
};

/// Projects the states of the image encoder to the width of the transformer.
class ImageEmbedder {
public:
    ImageEmbedder() = default;
    ImageEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// Maps [images, n, image_dim] -> [1, images * n, D], in the dtype that Linear returns. Throws Error(bad_request)
    /// if the number of tokens differs from that of the learned positions.
    Tensor operator()(const Tensor& image_embeds, const OpPrecision& op) const;

private:
    Tensor pos_embed_;  ///< [1, tokens, image_dim]; undefined: none
    LayerNorm norm1_, norm2_;
    Linear proj_, out_;
};

/// Projects timesteps, text and image to the width of the transformer.
class ConditionEmbedder {
public:
    ConditionEmbedder() = default;
    ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    TimeCondition time(const std::vector<double>& timesteps) const;
    /// Maps `prompt_embeds` [1, n, text_dim] -> [1, n, D] in the op's dtype.
    Tensor text(const Tensor& prompt_embeds, const OpPrecision& op) const;
    Tensor image(const Tensor& image_embeds, const OpPrecision& op) const { return image_embedder_(image_embeds, op); }

private:
    TimestepEmbedding time_embedder_;
    Linear time_proj_;
    Linear text_linear_1_;
    Linear text_linear_2_;
    ImageEmbedder image_embedder_;
};

}  // namespace kinescope::wan
