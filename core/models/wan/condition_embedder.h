#pragma once

#include <vector>

#include "core/models/wan/config.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::wan {

/// What timesteps say to the blocks and to the head; float32, one row for each timestep.
struct TimeCondition {
    Tensor temb;        ///< [n, D]
    Tensor modulation;  ///< [n, 6, D]
};

/// States of the image encoder to the width of the transformer.
class ImageEmbedder {
public:
    ImageEmbedder() = default;
    ImageEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// [images, n, image_dim] -> [1, images n, D], what Linear returns. Throws Error(bad_request) where the positions
    /// of the model are those of another number of tokens.
    Tensor operator()(const Tensor& image_embeds, const OpPrecision& op) const;

private:
    Tensor pos_embed_;  ///< [1, tokens, image_dim]; undefined: none
    LayerNorm norm1_, norm2_;
    Linear proj_, out_;
};

/// Timesteps, text and image to the width of the transformer.
class ConditionEmbedder {
public:
    ConditionEmbedder() = default;
    ConditionEmbedder(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    TimeCondition time(const std::vector<double>& timesteps) const;
    /// [1, n, text_dim] -> [1, n, D] in the op's dtype.
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
