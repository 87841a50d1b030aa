#pragma once

#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/ltx/transformer_block.h"
#include "core/nn/block_stream.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::ltx {

/// The direction of a prediction. The model predicts noise minus data (to_noise); LTXConditionPipeline flips the sign
/// before it passes the prediction to its scheduler (to_data).
enum class Direction { to_noise, to_data };

/// Converts latents [1, C, F, H, W] to tokens [1, F H W, C].
Tensor packed(const Tensor& latents);
/// Converts tokens to latents with the shape of `like`: the inverse of packed().
Tensor unpacked(const Tensor& tokens, const Tensor& like);

/// LTXVideoTransformer3DModel. Reads from Conditioning::details "video_coords" [1, 3, tokens], the coordinates of the
/// tokens, and, with images, "conditioning_mask" [1, tokens], the strength with which each token is held. Sites:
/// "proj_in", "time_embed", "caption_projection", those of the blocks, "transformer_blocks.N" (the stream after block
/// N), "norm_out", "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, Direction direction,
                const Precision& precision);

    /// Returns the prediction for a batch of 1. Throws Error(bad_request) if latents, coordinates or text do not match
    /// the model.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    /// The embeddings of the timesteps, float32, one row for each timestep.
    struct TimeRows {
        Tensor embedding;   ///< [n, D], for the head
        Tensor modulation;  ///< [n, 6, D]
    };

    void check_input(const DenoiseInput& input) const;
    TimeRows embed_times(const std::vector<double>& timesteps, const ForwardContext& context) const;
    Tensor project_text(const DenoiseInput& input, const ForwardContext& context) const;
    const Tensor& rotary(const Tensor& coordinates);
    Tensor head(const Tensor& hidden_states, const Tensor& embedding, const std::vector<TokenSegment>& segments,
                const ForwardContext& context) const;

    TransformerConfig config_;
    Direction direction_;
    Precision precision_;
    Linear proj_in_;
    TimestepEmbedding timestep_embedder_;
    Linear time_linear_;
    Linear caption_in_, caption_out_;
    BlockStream<TransformerBlock> blocks_;
    Tensor scale_shift_table_;  ///< [2, D]: shift, scale of the head
    Linear proj_out_;

    Tensor coordinates_;  ///< the coordinates of the table, compared by identity
    Tensor rotary_;
};

}  // namespace kinescope::ltx
