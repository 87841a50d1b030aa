#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/nn/linear.h"
#include "core/nn/norm.h"
#include "core/numerics/probe.h"

namespace kinescope {

/// The options in config.json of CLIPVisionModel. The defaults are those of CLIP ViT-H/14.
struct ClipVisionConfig {
    std::int64_t hidden_size = 1280;
    std::int64_t intermediate_size = 5120;
    std::int64_t projection_dim = 1024;
    std::int64_t num_hidden_layers = 32;
    std::int64_t num_attention_heads = 16;
    std::int64_t image_size = 224;  ///< side length in px
    std::int64_t patch_size = 14;
    enum class Activation { gelu, quick_gelu } activation = Activation::gelu;
    double layer_norm_eps = 1e-5;

    std::int64_t num_patches() const { return (image_size / patch_size) * (image_size / patch_size); }
};

/// Reads config.json of CLIPVisionModel. Throws Error(bad_config) for values out of range, and Error(unsupported) for
/// other activations.
ClipVisionConfig read_clip_vision_config(const Json& json, const std::filesystem::path& file);

/// The vision tower of CLIP with the tensor names of Hugging Face Transformers, with or without the prefix
/// "vision_model.". Policies run it in float32. Sites: "embeddings", "blocks.N.attn", "blocks.N.mlp", "blocks.N",
/// "image_embeds".
class ClipVisionEncoder {
public:
    /// The requested output, which determines the weights to load: the hidden states before the last layer (Wan), or
    /// the projected embedding (SVD).
    enum class Use { penultimate_states, image_embeds };

    ClipVisionEncoder(const WeightScope& scope, const ClipVisionConfig& config, Use use, const Precision& precision);

    /// Returns hidden_states[-2]: float32 [B, patches + 1, hidden_size]. `pixels` is float32 [B, 3, image_size,
    /// image_size], prepared by clip_pixels.
    Tensor penultimate_states(const Tensor& pixels, const ForwardContext& context) const;
    /// Returns the projected class token: float32 [B, projection_dim]. Requires Use::image_embeds.
    Tensor image_embeds(const Tensor& pixels, const ForwardContext& context) const;
    /// Returns the prefixes of the names of tensors that `use` does not need, for WeightStore::finish.
    static std::vector<std::string> unneeded(const ClipVisionConfig& config, Use use);

private:
    struct Block {
        Block(const WeightScope& scope, const ClipVisionConfig& config, const Precision& precision);
        LayerNorm layer_norm1;
        Linear q_proj, k_proj, v_proj, out_proj;
        LayerNorm layer_norm2;
        Linear fc1, fc2;
    };

    Tensor embed(const Tensor& pixels, const ForwardContext& context) const;
    Tensor attention(const Block& block, const Tensor& x, const OpPrecision& op) const;
    Tensor mlp(const Block& block, const Tensor& x, const OpPrecision& op) const;
    Tensor run_blocks(Tensor x, std::size_t count, const ForwardContext& context) const;

    ClipVisionConfig config_;
    Precision precision_;
    Linear patch_embedding_;
    Tensor class_embedding_;     ///< [hidden_size]
    Tensor position_embedding_;  ///< [patches + 1, hidden_size]
    LayerNorm pre_layernorm_;
    std::vector<Block> blocks_;
    LayerNorm post_layernorm_;
    Linear visual_projection_;
};

}  // namespace kinescope
