#include "core/models/ltx/recognize.h"

#include "core/models/ltx/config.h"
#include "core/models/ltx/key_map.h"

namespace kinescope::ltx {

namespace {

/// The number of heads of all published models.
constexpr std::int64_t kPublishedHeads = 32;
constexpr std::int64_t kLayersOf13B = 48;

std::optional<KeyMap> find_transformer_keys(const TensorCatalog& tensors) {
    if (tensors.prefix_of("audio_patchify_proj.weight")) return std::nullopt;  // LTX-2
    if (const auto prefix = tensors.prefix_of("patchify_proj.weight"))
        if (tensors.has(*prefix + "transformer_blocks.0.attn1.q_norm.weight"))
            return with_prefix(transformer_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("time_embed.emb.timestep_embedder.linear_1.weight"))
        if (tensors.has(*prefix + "transformer_blocks.0.attn1.norm_q.weight")) return diffusers_names(*prefix);
    return std::nullopt;
}

/// Returns the config in the header of the authors' files, or null if there is none.
Json config_in_header(const TensorCatalog& tensors) {
    const auto& metadata = tensors.reader().metadata();
    const auto found = metadata.find("config");
    return found == metadata.end() ? Json() : try_parse_json(found->second);
}

Json value_in(const Json& object, const char* key) {
    return object.is_object() ? object.value(key, Json()) : Json();
}

/// Returns the number of heads in the config in the header, because it does not follow from the shapes. Returns
/// kPublishedHeads if there is no valid config.
std::int64_t heads_in_header(const TensorCatalog& tensors, std::int64_t dim) {
    const Json heads = value_in(value_in(config_in_header(tensors), "transformer"), "num_attention_heads");
    const bool is_usable = heads.is_number_integer() && heads > 0 && heads <= dim;
    return is_usable ? heads.get<std::int64_t>() : kPublishedHeads;
}

/// Returns true for a distilled model. Such models were trained only for a few timesteps, which the header lists.
bool is_distilled(const TensorCatalog& tensors) {
    const Json steps = value_in(config_in_header(tensors), "allowed_inference_steps");
    return steps.is_array() && !steps.empty();
}

Json transformer_shapes(const TensorCatalog& tensors) {
    return {{"_class_name", kTransformerClass},
            {"num_layers", tensors.count("transformer_blocks.")},
            {"in_channels", tensors.dim("proj_in.weight", 1)},
            {"out_channels", tensors.dim("proj_out.weight", 0)},
            {"cross_attention_dim", tensors.dim("proj_in.weight", 0)},
            {"caption_channels", tensors.dim("caption_projection.linear_1.weight", 1)}};
}

Json transformer_assumed(std::int64_t dim, std::int64_t heads) {
    return {{"num_attention_heads", heads},
            {"attention_head_dim", dim / heads},
            {"activation_fn", "gelu-approximate"},
            {"attention_bias", true},
            {"attention_out_bias", true},
            {"norm_elementwise_affine", false},
            {"norm_eps", 1e-6},
            {"patch_size", 1},
            {"patch_size_t", 1},
            {"qk_norm", "rms_norm_across_heads"}};
}

LocalizableMessage reason_of(const Json& config) {
    const std::string blocks = config["num_layers"].dump(), width = config["cross_attention_dim"].dump();
    return {.code = "ltx_transformer",
            .values = {{"blocks", blocks}, {"width", width}},
            .text = "LTX-Video with one token per latent position; " + blocks + " blocks of width " + width};
}

}  // namespace

std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors) {
    auto keys = find_transformer_keys(tensors);
    if (!keys) return std::nullopt;
    Json config = transformer_shapes(tensors.renamed(*keys));
    const auto dim = config["cross_attention_dim"].get<std::int64_t>();
    const bool is_13b = config["num_layers"] == kLayersOf13B;
    config["ltx_pipeline"] = is_13b || holds_vae_095(tensors) ? "LTXConditionPipeline" : "LTXPipeline";
    if (is_distilled(tensors)) config["ltx_distilled"] = true;
    return RecognizedPart{.family = "ltx",
                          .component = "transformer",
                          .class_name = kTransformerClass,
                          .variant = is_13b ? "LTX-Video 13B" : "LTX-Video 2B",
                          .reason = reason_of(config),
                          .config = config,
                          .assumed = transformer_assumed(dim, heads_in_header(tensors, dim)),
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope::ltx
