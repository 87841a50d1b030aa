#pragma once

#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/stepvideo/condition_embedder.h"
#include "core/models/stepvideo/transformer_block.h"
#include "core/nn/block_stream.h"

namespace kinescope::stepvideo {

/// StepVideoModel for text to video: full attention over all latent pixels, and cross-attention to CLIP and Step-LLM
/// states (Conditioning::prompt_embeds_2 and prompt_embeds, without padding, so no mask is needed). Projects these
/// states in each pass, which is cheap compared with tens of thousands of video tokens. Predicts data minus noise.
/// Sites: "pos_embed", those of the condition embedder and of the blocks, "blocks.N" (the stream after block N),
/// "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Returns the prediction for a batch of 1. Throws Error(bad_request) if the latents have the wrong shape for the
    /// model.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    const RotaryTable& rotary(const Tensor& latents);
    Tensor embed(const Tensor& latents, const ForwardContext& context) const;
    Tensor head(const Tensor& hidden_states, const Tensor& temb) const;

    TransformerConfig config_;
    Precision precision_;
    Linear pos_embed_;
    ConditionEmbedder condition_embedder_;
    BlockStream<TransformerBlock> blocks_;
    Tensor scale_shift_table_;  ///< [2, D]: shift, scale of the head
    Linear proj_out_;

    TokenGrid rotary_grid_ = {0, 0, 0};
    RotaryTable rotary_;
};

}  // namespace kinescope::stepvideo
