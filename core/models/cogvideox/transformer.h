#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/models/cogvideox/position_embedding.h"
#include "core/models/cogvideox/transformer_block.h"
#include "core/models/diffusion_model.h"
#include "core/nn/block_stream.h"
#include "core/nn/timestep_embedding.h"

namespace kinescope::cogvideox {

/// CogVideoXTransformer3DModel, versions 1.0 and 1.5. Caches the projection of the text, which is the same in each
/// step. Sites: "time_embedding", "patch_embed.text_proj" (for a new prompt), "patch_embed.proj", those of the blocks,
/// "transformer_blocks.N" (both streams after block N, text first), "norm_out", "proj_out".
class Transformer final : public DiffusionModel {
public:
    Transformer(const WeightScope& scope, const TransformerConfig& config, const Precision& precision);
    /// Returns the name of a tensor that some files contain: a table of sines and cosines, which the transformer
    /// computes for the requested size instead.
    static std::vector<std::string> unneeded() { return {"patch_embed.pos_embedding"}; }

    /// Returns the prediction for a batch of 1. An image model expects Conditioning::condition, image latents in the
    /// shape of the latents. Throws Error(bad_request) if the latents have the wrong shape for the model.
    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override;

private:
    /// Values that depend only on the token layout.
    struct Positions {
        TokenLayout layout;
        Tensor rotary;  ///< undefined: none
        Tensor table;   ///< [1, text + video, D]; undefined: none
    };

    /// A prompt (compared by identity) and its projection, with the precision and timestep of the projection.
    struct Text {
        Tensor prompt_embeds;
        OpPrecision op;
        double timestep = 0;
        Tensor projected;  ///< [1, n, D]
    };

    TokenGrid token_grid(const Tensor& latents) const;
    Tensor model_input(const DenoiseInput& input) const;
    Tensor patchify(const Tensor& latents, const TokenGrid& grid) const;
    Tensor unpatchify(const Tensor& tokens, const TokenGrid& grid) const;
    const Positions& positions(const TokenLayout& layout);
    Tensor position_table(const TokenLayout& layout) const;
    const Tensor& text(const DenoiseInput& input, const ForwardContext& context);
    /// Embeds the text and the video: float32 [1, L, D], text rows first.
    Tensor embed(const DenoiseInput& input, const TokenGrid& grid, const ForwardContext& context);
    Tensor time(double timestep) const;
    Tensor head(const Tensor& video, const Tensor& time, const ForwardContext& context) const;

    TransformerConfig config_;
    Precision precision_;
    Linear patch_proj_, text_proj_;
    Tensor learned_positions_;  ///< [1, max_text_seq_length + native tokens, D]; undefined: none
    TimestepEmbedding time_embedding_;
    std::optional<TimestepEmbedding> ofs_embedding_;
    BlockStream<TransformerBlock> blocks_;
    LayerNorm norm_final_;
    Linear norm_out_linear_;
    LayerNorm norm_out_;
    Linear proj_out_;

    Positions positions_;
    Text text_, negative_text_;
};

}  // namespace kinescope::cogvideox
