#pragma once

#include <deque>
#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/wan/condition_embedder.h"
#include "core/models/wan/transformer_block.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::wan {

/// WanTransformer3DModel for text to video. Keys and values of the last prompts are kept, since they are the same in
/// each step. Sites: "patch_embedding", "condition_embedder.time", "condition_embedder.text" (when a prompt is new),
/// those of the blocks, "blocks.N" (the stream after block N), "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Throws Error(bad_request) when the latents do not fit the model. Batch 1.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    /// What a block attends to, and how it was projected.
    struct BlockText {
        KeyValue key_value;
        OpPrecision op;
    };
    struct Prompt {
        Tensor prompt_embeds;  ///< as it was given: compared by identity
        Tensor key_bias;
        Tensor text;  ///< [1, n, D]
        OpPrecision text_op;
        std::vector<BlockText> blocks;
    };

    TokenGrid token_grid(const Tensor& latents) const;
    Tensor patchify(const Tensor& latents, const TokenGrid& grid) const;
    Tensor unpatchify(const Tensor& tokens, const TokenGrid& grid) const;
    const Tensor& rotary(const TokenGrid& grid);
    const Prompt& prompt(const Tensor& prompt_embeds, const ForwardContext& context);
    Prompt project(const Tensor& prompt_embeds, const OpPrecision& text_op, const ForwardContext& context) const;
    void project_again_where_raised(Prompt& prompt, const ForwardContext& context) const;
    Tensor head(const Tensor& hidden_states, const Tensor& temb) const;

    TransformerConfig config_;
    Precision precision_;
    Linear patch_embedding_;
    ConditionEmbedder condition_embedder_;
    std::vector<TransformerBlock> blocks_;
    Tensor scale_shift_table_;  ///< [1, 2, D]: shift, scale of the head
    Linear proj_out_;

    std::deque<Prompt> prompts_;  ///< newest last
    TokenGrid rotary_grid_ = {0, 0, 0};
    Tensor rotary_;
};

}  // namespace kinescope::wan
