#pragma once

#include <deque>
#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/wan/condition_embedder.h"
#include "core/models/wan/transformer_block.h"
#include "core/nn/block_stream.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::wan {

/// WanTransformer3DModel. A model with extra input channels takes the condition (mask and image latents) concatenated
/// along the channels. In other models, the condition replaces the first latent frames, whose tokens are at timestep 0.
/// The keys and values of the last prompts are cached, because they are the same in each step; a repeated step
/// recomputes them. Sites: "patch_embedding", "condition_embedder.time", "condition_embedder.text" and
/// "condition_embedder.image" (for a new prompt), those of the blocks, "blocks.N" (the stream after block N),
/// "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);

    /// Returns the prediction for a batch of 1. Throws Error(bad_request) if latents or condition have the wrong shape
    /// for the model.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    /// The projected context of a block, with the precision and timestep of the projection.
    struct BlockContext {
        CrossContext attended;
        OpPrecision op;
        double timestep = 0;
    };
    /// A prompt and an image (compared by identity), and their projections for the blocks.
    struct Prompt {
        Tensor prompt_embeds;
        Tensor image_embeds;
        Tensor key_bias;
        Tensor text;   ///< [1, n, D]
        Tensor image;  ///< [1, n, D] or undefined
        OpPrecision text_op;
        OpPrecision image_op;
        double timestep = 0;  ///< of the step that projected it
        std::vector<BlockContext> blocks;
    };

    TokenGrid token_grid(const Tensor& latents) const;
    Tensor with_condition(const Tensor& latents, const Tensor& condition) const;
    /// Returns the number of tokens of the latent frames that the condition replaces.
    std::int64_t clean_tokens(const Tensor& condition, const TokenGrid& grid) const;
    Tensor patchify(const Tensor& latents, const TokenGrid& grid) const;
    Tensor unpatchify(const Tensor& tokens, const TokenGrid& grid) const;
    void make_rotary(const TokenGrid& grid);
    Prompt& prompt(const DenoiseInput& input, const ForwardContext& context);
    Prompt embed(const DenoiseInput& input, const ForwardContext& context) const;
    const BlockContext& project(Prompt& prompt, std::size_t index, double timestep, const ForwardContext& context);
    Tensor run_blocks(Tensor hidden_states, const DenoiseInput& input, const TimeCondition& time,
                      std::int64_t clean_tokens, const ForwardContext& context);
    Tensor head(const Tensor& hidden_states, const Tensor& temb, std::int64_t clean_tokens) const;

    TransformerConfig config_;
    Precision precision_;
    Linear patch_embedding_;
    ConditionEmbedder condition_embedder_;
    BlockStream<TransformerBlock> blocks_;
    Tensor scale_shift_table_;  ///< [1, 2, D]: shift, scale of the head
    Linear proj_out_;

    std::deque<Prompt> prompts_;  ///< newest last
    TokenGrid rotary_grid_ = {0, 0, 0};
    Tensor rotary_;
};

}  // namespace kinescope::wan
