#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/models/diffusion_model.h"
#include "core/models/wan/condition_embedder.h"
#include "core/models/wan/transformer_block.h"
#include "core/models/wan/vace_block.h"
#include "core/nn/block_stream.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::wan {

/// WanTransformer3DModel and WanVACETransformer3DModel. A model with extra input channels takes the condition (mask and
/// image latents) concatenated along the channels. In other models the condition replaces the first latent frames,
/// whose tokens are at timestep 0. Keys and values of the last prompts are cached, since they are the same in each
/// step; a repeated step recomputes them. Sites: "patch_embedding", "condition_embedder.time",
/// "condition_embedder.text" and "condition_embedder.image" (for a new prompt), those of the blocks, "blocks.N" (the
/// stream after block N), "proj_out"; with VACE also "vace_patch_embedding" and those of VaceBlock.
///
/// A VACE model takes the control condition [1, C, f, h, w] as condition: a side branch turns it into hints, which are
/// added to the stream after some blocks. VACE block k runs just before the main block that its hint follows, so that
/// only one hint is in memory. Fewer condition tokens than latent tokens are filled with zeros, as in diffusers.
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// Returns the prefixes of the names of tensors that the model does not use: some files contain a query norm for
    /// the image branch.
    static std::vector<std::string> unneeded(const TransformerConfig& config);

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
        std::vector<BlockContext> vace_blocks;
    };
    /// The state of the side branch during a pass.
    struct Control {
        Tensor stream;         ///< float32 [1, L, D]
        Tensor scale;          ///< [number of VACE blocks]
        std::size_t next = 0;  ///< next VACE block
    };
    /// Inputs of the blocks that do not change during a pass.
    struct Pass {
        Prompt& prompt;
        Prompt* avoided;  ///< the negative prompt of normalized attention guidance; null without it
        const std::optional<NagSettings>& nag;
        double timestep;
        const TimeCondition& time;
        std::int64_t clean_tokens;
        const ForwardContext& context;
    };

    TokenGrid token_grid(const Tensor& latents) const;
    Tensor with_condition(const Tensor& latents, const Tensor& condition) const;
    /// Returns the number of tokens of the latent frames that the condition replaces.
    std::int64_t clean_tokens(const Tensor& condition, const TokenGrid& grid) const;
    Tensor patchify(const Tensor& latents, const TokenGrid& grid) const;
    Tensor unpatchify(const Tensor& tokens, const TokenGrid& grid) const;
    void make_rotary(const TokenGrid& grid);
    Prompt& prompt(const DenoiseInput& input, const ForwardContext& context);
    /// The prompt of the input's branch among those that are kept; null if it is new.
    Prompt* find(const DenoiseInput& input);
    /// Both prompts of normalized attention guidance. The second is null without it.
    std::pair<Prompt*, Prompt*> prompts(const DenoiseInput& input, const ForwardContext& context);
    Prompt embed(const DenoiseInput& input, const ForwardContext& context) const;
    const BlockContext& project(const TransformerBlock& block, const Prompt& prompt, BlockContext& known,
                                const Pass& pass) const;
    std::optional<NegativeContext> negative_context(const TransformerBlock& block, BlockContext& known,
                                                    const Pass& pass) const;
    BlockInput block_input(const TransformerBlock& block, BlockContext& known,
                           const std::optional<NegativeContext>& negative, const Pass& pass) const;
    Control embed_control(const Conditioning& conditioning, const Tensor& hidden_states,
                          const ForwardContext& context) const;
    /// The scaled hint that belongs after main block `index`; undefined if there is none.
    Tensor next_hint(Control& control, std::size_t index, const Tensor& hidden_states, const Pass& pass);
    /// Replaces the stream by the output of a main block.
    void run_block(std::size_t index, Tensor& hidden_states, const Pass& pass);
    Tensor run_blocks(Tensor hidden_states, const DenoiseInput& input, const TimeCondition& time,
                      std::int64_t clean_tokens, const ForwardContext& context);
    Tensor head(const Tensor& hidden_states, const Tensor& temb, std::int64_t clean_tokens) const;

    TransformerConfig config_;
    Precision precision_;
    Linear patch_embedding_;
    ConditionEmbedder condition_embedder_;
    BlockStream<TransformerBlock> blocks_;
    std::optional<Linear> vace_patch_embedding_;
    BlockStream<VaceBlock> vace_blocks_;  ///< empty without VACE
    Tensor scale_shift_table_;            ///< [1, 2, D]: shift, scale of the head
    Linear proj_out_;

    std::deque<Prompt> prompts_;  ///< newest last
    TokenGrid rotary_grid_ = {0, 0, 0};
    Tensor rotary_;
};

}  // namespace kinescope::wan
