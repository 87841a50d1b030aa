#pragma once

#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/svd/unet_blocks.h"
#include "core/nn/block_stream.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::svd {

/// UNetSpatioTemporalConditionModel. The sites have diffusers' module names: "conv_in", "time_embedding",
/// "add_embedding", those of "down_blocks.N", "mid_block" and "up_blocks.N", "conv_norm_out", "conv_out".
class UNet final : public DiffusionModel {
public:
    UNet(const WeightScope& scope, const UNetConfig& config, const Precision& precision);

    /// Returns the prediction for a batch of 1. Needs image_embeds [1, 1, D], condition (unscaled image latents [1, C,
    /// F, H, W]) and added_time_ids [1, 3]. The unconditional pass replaces the first two with zeros. Throws
    /// Error(bad_request) if their shapes do not match the model.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    void check(const DenoiseInput& input) const;
    /// Returns the time embedding [1, time_embed_dim], after the activation that every block applies first.
    Tensor embed_time(double timestep, const Tensor& added_time_ids, const ForwardContext& context) const;
    Tensor run_blocks(Tensor frames, const UNetBlockInput& input, const ForwardContext& context);
    Tensor head(const Tensor& frames, const ForwardContext& context) const;

    UNetConfig config_;
    Precision precision_;
    ObservedConv conv_in_;
    TimestepEmbedding time_embedding_, add_embedding_;
    BlockStream<UNetBlock> down_blocks_;
    UNetMidBlock mid_block_;
    BlockStream<UNetBlock> up_blocks_;
    GroupNorm conv_norm_out_;
    ObservedConv conv_out_;
};

}  // namespace kinescope::svd
