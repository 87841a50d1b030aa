#pragma once

#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/stepvideo/condition_embedder.h"
#include "core/models/stepvideo/transformer_block.h"
#include "core/nn/block_stream.h"

namespace kinescope::stepvideo {

/// StepVideoModel for text to video: full attention over all latent pixels, cross-attention to the states of CLIP and
/// of Step-LLM (Conditioning::prompt_embeds_2 and prompt_embeds, real tokens only, so that no mask is needed). The
/// texts are projected anew in each pass: a few hundred tokens beside tens of thousands. Predicts data minus noise.
/// Sites: "pos_embed", those of the condition embedder and of the blocks, "blocks.N" (the stream after block N),
/// "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Throws Error(bad_request) when the latents do not fit the model. Batch 1.
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

    std::array<std::int64_t, 3> rotary_grid_ = {0, 0, 0};
    RotaryTable rotary_;
};

}  // namespace kinescope::stepvideo
