#include "core/text_encoders/clip_vision_files.h"

#include <algorithm>
#include <cmath>

namespace kinescope {
namespace {

constexpr auto kAttention = "vision_model.encoder.layers.*.self_attn.";
constexpr std::int64_t kHeadDim = 80;  // ViT-H/14
const TensorPiece kSqueezed{.form = TensorForm::squeezed};

/// Maps a fused projection to its three parts. `tail` is appended to the canonical name.
void add_fused(KeyMap& map, const std::string& stored, const std::string& tail) {
    int index = 0;
    for (const std::string part : {"q_proj", "k_proj", "v_proj"})
        map.rules.push_back({stored, kAttention + part + tail, {.of = 3, .take = {index++}}});
}

KeyMap make_wan_keys() {
    KeyMap map{.naming = "the original authors' tensor names", .prefix = "visual.", .rules = {}};
    map.rules = {{"cls_embedding", "vision_model.embeddings.class_embedding", kSqueezed},
                 {"pos_embedding", "vision_model.embeddings.position_embedding.weight", kSqueezed},
                 {"patch_embedding", "vision_model.embeddings.patch_embedding"},
                 {"pre_norm", "vision_model.pre_layrnorm"},
                 {"post_norm", "vision_model.post_layernorm"},
                 {"head", "visual_projection.weight", {.form = TensorForm::transposed}},
                 {"transformer.*.norm1", "vision_model.encoder.layers.*.layer_norm1"},
                 {"transformer.*.norm2", "vision_model.encoder.layers.*.layer_norm2"},
                 {"transformer.*.attn.proj", "vision_model.encoder.layers.*.self_attn.out_proj"},
                 {"transformer.*.mlp.0", "vision_model.encoder.layers.*.mlp.fc1"},
                 {"transformer.*.mlp.2", "vision_model.encoder.layers.*.mlp.fc2"}};
    add_fused(map, "transformer.*.attn.to_qkv", "");
    return map;
}

KeyMap make_open_clip_keys() {
    KeyMap map{.naming = "open_clip's names", .prefix = "visual.", .rules = {}};
    map.rules = {{"class_embedding", "vision_model.embeddings.class_embedding"},
                 {"positional_embedding", "vision_model.embeddings.position_embedding.weight"},
                 {"conv1", "vision_model.embeddings.patch_embedding"},
                 {"ln_pre", "vision_model.pre_layrnorm"},
                 {"ln_post", "vision_model.post_layernorm"},
                 {"proj", "visual_projection.weight", {.form = TensorForm::transposed}},
                 {"transformer.resblocks.*.ln_1", "vision_model.encoder.layers.*.layer_norm1"},
                 {"transformer.resblocks.*.ln_2", "vision_model.encoder.layers.*.layer_norm2"},
                 {"transformer.resblocks.*.attn.out_proj", "vision_model.encoder.layers.*.self_attn.out_proj"},
                 {"transformer.resblocks.*.mlp.c_fc", "vision_model.encoder.layers.*.mlp.fc1"},
                 {"transformer.resblocks.*.mlp.c_proj", "vision_model.encoder.layers.*.mlp.fc2"}};
    add_fused(map, "transformer.resblocks.*.attn.in_proj_weight", ".weight");
    add_fused(map, "transformer.resblocks.*.attn.in_proj_bias", ".bias");
    return map;
}

std::optional<KeyMap> find_clip_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("visual.cls_embedding"))
        return with_prefix(clip_wan_keys(), *prefix + "visual.");
    if (const auto prefix = tensors.prefix_of("visual.transformer.resblocks.0.attn.in_proj_weight"))
        return with_prefix(clip_open_clip_keys(), *prefix + "visual.");
    if (const auto prefix = tensors.prefix_of("vision_model.pre_layrnorm.weight"))
        return KeyMap{.naming = "Hugging Face names",
                      .prefix = *prefix,
                      .rules = {{"vision_model.embeddings.position_ids", ""}, {"logit_scale", ""}}};
    return std::nullopt;
}

std::int64_t image_size(const TensorCatalog& tensors, std::int64_t patch) {
    const auto positions = tensors.dim("vision_model.embeddings.position_embedding.weight", 0);
    const auto side = std::llround(std::sqrt(static_cast<double>(std::max<std::int64_t>(positions - 1, 0))));
    return side * patch;
}

Json clip_config_of(const TensorCatalog& tensors) {
    const std::string patch_embedding = "vision_model.embeddings.patch_embedding.weight";
    const auto hidden = tensors.dim(patch_embedding, 0);
    const auto patch = tensors.dim(patch_embedding, 2);
    Json config{{"hidden_size", hidden},
                {"num_channels", tensors.dim(patch_embedding, 1)},
                {"patch_size", patch},
                {"image_size", image_size(tensors, patch)},
                {"intermediate_size", tensors.dim("vision_model.encoder.layers.0.mlp.fc1.weight", 0)},
                {"num_hidden_layers", tensors.count("vision_model.encoder.layers.")}};
    if (tensors.has("visual_projection.weight")) config["projection_dim"] = tensors.dim("visual_projection.weight", 0);
    return config;
}

}  // namespace

const KeyMap& clip_wan_keys() {
    static const KeyMap map = make_wan_keys();
    return map;
}

const KeyMap& clip_open_clip_keys() {
    static const KeyMap map = make_open_clip_keys();
    return map;
}

std::optional<RecognizedPart> recognize_clip_vision(const TensorCatalog& tensors) {
    auto keys = find_clip_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const Json config = clip_config_of(canonical);
    const bool projects = config.contains("projection_dim");
    const auto hidden = config["hidden_size"].get<std::int64_t>();
    return RecognizedPart{
        .family = {},
        .component = "image_encoder",
        .class_name = projects ? "CLIPVisionModelWithProjection" : "CLIPVisionModel",
        .variant = "CLIP vision tower",
        .reason = {.code = "clip_vision",
                   .values = {{"layers", config["num_hidden_layers"].dump()}, {"width", config["hidden_size"].dump()}},
                   .text = "a CLIP vision tower of " + config["num_hidden_layers"].dump() + " layers, width " +
                           config["hidden_size"].dump()},
        .config = config,
        .assumed = {{"num_attention_heads", std::max<std::int64_t>(hidden / kHeadDim, 1)},
                    {"hidden_act", "gelu"},
                    {"layer_norm_eps", 1e-5}},
        .key_map = std::move(*keys)};
}

}  // namespace kinescope
