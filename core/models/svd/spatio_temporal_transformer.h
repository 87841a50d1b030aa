#pragma once

#include <string>
#include <vector>

#include "core/models/svd/transformer_block.h"
#include "core/nn/group_norm.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::svd {

struct SpatioTemporalTransformerConfig {
    std::int64_t channels = 0;
    std::int64_t num_heads = 1;
    std::int64_t num_layers = 1;
    std::int64_t cross_attention_dim = 0;
};

/// diffusers' TransformerSpatioTemporalModel: each layer applies attention over the pixels of a frame, then over the
/// frames of each pixel, and blends both results with a learned weight.
/// Sites: "<name>.proj_in", those of "<name>.transformer_blocks.N" and "<name>.temporal_transformer_blocks.N",
/// "<name>.proj_out", "<name>".
class SpatioTemporalTransformer {
public:
    SpatioTemporalTransformer(const WeightScope& scope, std::string name, const SpatioTemporalTransformerConfig& config,
                              const Precision& precision);
    /// Maps `frames` [F, H, W, C] float32 and `context_token` [1, 1, cross_attention_dim] -> [F, H, W, C] float32.
    Tensor forward(const Tensor& frames, const Tensor& context_token, const ForwardContext& context) const;

private:
    /// Returns the learned embeddings of the frame positions, [F, 1, C].
    Tensor frame_positions(std::int64_t num_frames) const;

    std::string name_;
    Precision precision_;
    std::int64_t channels_;
    GroupNorm norm_;
    Linear proj_in_;
    std::vector<TransformerBlock> spatial_blocks_, temporal_blocks_;
    TimestepEmbedding time_pos_embed_;
    Tensor temporal_weight_;  ///< [1]
    Linear proj_out_;
};

}  // namespace kinescope::svd
