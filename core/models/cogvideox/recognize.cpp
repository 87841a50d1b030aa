#include "core/models/cogvideox/recognize.h"

#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/key_map.h"

namespace kinescope::cogvideox {

namespace {

std::optional<KeyMap> find_transformer_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("mixins.final_layer.adaLN_modulation.1.weight"))
        return with_prefix(transformer_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("patch_embed.text_proj.weight")) return diffusers_names(*prefix);
    return std::nullopt;
}

/// The properties that identify a variant.
struct Traits {
    bool is_15 = false;  ///< 1.5: patches of two frames, embedded by a linear layer
    bool takes_image = false;
    bool has_table = false;  ///< stored position table: sines in 2B, learned in 5B I2V
};

Traits traits_of(const TensorCatalog& tensors, const Json& config) {
    return {.is_15 = !config["patch_size_t"].is_null(),
            .takes_image = config["in_channels"] != config["out_channels"],
            .has_table = tensors.has("patch_embed.pos_embedding")};
}

Json transformer_shapes(const TensorCatalog& tensors) {
    const bool is_15 = tensors.num_axes("patch_embed.proj.weight") == 2;
    const std::int64_t voxels = is_15 ? 8 : 4;
    const auto columns = tensors.dim("patch_embed.proj.weight", 1);
    const auto head_dim = tensors.dim("transformer_blocks.0.attn1.norm_q.weight", 0);
    const auto dim = tensors.dim("patch_embed.proj.weight", 0);
    Json config{{"_class_name", kTransformerClass},
                {"attention_head_dim", head_dim},
                {"num_attention_heads", head_dim > 0 ? dim / head_dim : 0},
                {"num_layers", tensors.count("transformer_blocks.")},
                {"in_channels", is_15 ? columns / voxels : columns},
                {"out_channels", tensors.dim("proj_out.weight", 0) / voxels},
                {"text_embed_dim", tensors.dim("patch_embed.text_proj.weight", 1)},
                {"time_embed_dim", tensors.dim("time_embedding.linear_1.weight", 0)},
                {"patch_size", 2},
                {"patch_size_t", is_15 ? Json(2) : Json()},
                {"patch_bias", tensors.has("patch_embed.proj.bias") && !is_15},
                {"ofs_embed_dim", Json()}};
    if (const auto ofs = tensors.dim("ofs_embedding.linear_1.weight", 1); ofs > 0) config["ofs_embed_dim"] = ofs;
    return config;
}

/// Returns the published values that do not follow from the shapes.
Json transformer_assumed(const Traits& traits) {
    const bool is_2b = traits.has_table && !traits.takes_image;
    return {{"use_rotary_positional_embeddings", !is_2b},
            {"use_learned_positional_embeddings", traits.has_table && traits.takes_image},
            {"sample_width", traits.is_15 ? 300 : 90},
            {"sample_height", traits.is_15 ? 300 : 60},
            {"sample_frames", traits.is_15 ? 81 : 49},
            {"max_text_seq_length", 226},
            {"spatial_interpolation_scale", 1.875},
            {"temporal_interpolation_scale", 1.0},
            {"temporal_compression_ratio", 4},
            {"activation_fn", "gelu-approximate"},
            {"norm_eps", 1e-5}};
}

std::string variant_name(const Traits& traits) {
    if (traits.is_15) return traits.takes_image ? "CogVideoX 1.5 I2V" : "CogVideoX 1.5";
    if (traits.takes_image) return "CogVideoX 5b I2V";
    return traits.has_table ? "CogVideoX 2b" : "CogVideoX 5b";
}

/// Removes the computed table of sines from the keys. Only a learned table is read from the file.
void drop_computed_table(KeyMap& keys, const Traits& traits) {
    if (traits.takes_image || !traits.has_table) return;
    for (auto& rule : keys.rules)
        if (rule.canonical == "patch_embed.pos_embedding") rule.canonical.clear();
}

LocalizableMessage reason_of(const Json& config) {
    const std::string blocks = config["num_layers"].dump(), heads = config["num_attention_heads"].dump();
    const std::string width = config["attention_head_dim"].dump(), channels = config["in_channels"].dump();
    return {.code = "cogvideox_transformer",
            .values = {{"blocks", blocks}, {"heads", heads}, {"width", width}, {"channels", channels}},
            .text = "CogVideoX's expert norms; " + blocks + " blocks, " + heads + " heads of " + width + ", " +
                    channels + " input channels"};
}

}  // namespace

std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors) {
    auto keys = find_transformer_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const Json config = transformer_shapes(canonical);
    const Traits traits = traits_of(canonical, config);
    drop_computed_table(*keys, traits);
    return RecognizedPart{.family = "cogvideox",
                          .component = "transformer",
                          .class_name = kTransformerClass,
                          .variant = variant_name(traits),
                          .reason = reason_of(config),
                          .config = config,
                          .assumed = transformer_assumed(traits),
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope::cogvideox
