#include "core/models/wan/recognize.h"

#include <algorithm>
#include <iterator>

#include "core/api/error.h"
#include "core/models/wan/config.h"
#include "core/models/wan/ggml_shapes.h"
#include "core/models/wan/key_map.h"

namespace kinescope::wan {

namespace {

constexpr std::int64_t kHeadDim = 128;
constexpr std::int64_t kMaskChannels = 64;

/// A module of a model that is derived from Wan and takes further inputs.
struct FurtherModule {
    std::string_view name;
    const char* input;
};

constexpr FurtherModule kFurtherModules[] = {
    {"face_adapter.", "the motion of a person (Wan-Animate)"},
    {"pose_patch_embedding.", "the motion of a person (Wan-Animate)"},
    {"casual_audio_encoder.", "speech (Wan-S2V)"},  // the authors' spelling
    {"audio_proj.", "speech"},
    {"control_adapter.", "camera movements (Wan-Fun Camera)"},
    {"ref_conv.", "a control video (Wan-Fun Control)"},
};

/// Throws Error(unsupported) for such models. They have the tensors of a plain model, too, and would ignore the input
/// for which they were made.
void refuse_further_modules(const TensorCatalog& tensors, const std::string& prefix) {
    const auto found = std::ranges::find_if(kFurtherModules, [&](const auto& module) {
        return tensors.any_starts_with(prefix + std::string(module.name));
    });
    if (found == std::end(kFurtherModules)) return;
    const auto& files = tensors.reader().files();
    const std::string file = files.empty() ? "The file" : files.front().string();
    throw Error(ErrorCode::unsupported,
                file + " is a Wan model that takes " + found->input + ", which is not supported",
                "Choose a Wan model for text, images or VACE.", {{"path", file}});
}

std::optional<KeyMap> find_transformer_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("head.modulation")) return with_prefix(transformer_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("condition_embedder.time_embedder.linear_1.weight"))
        return diffusers_names(*prefix);
    return std::nullopt;
}

std::string variant_name(const Json& config) {
    const auto layers = config["num_layers"].get<std::int64_t>();
    const auto dim = config["dim"].get<std::int64_t>();
    const auto in = config["in_channels"].get<std::int64_t>();
    const bool has_image = !config["image_dim"].is_null();
    const std::string size = layers == 30 && dim == 1536   ? "1.3B"
                             : layers == 30 && dim == 3072 ? "5B"
                             : layers == 40 && dim == 5120
                                 ? "14B"
                                 : std::to_string(layers) + " layers of " + std::to_string(dim);
    if (!config["vace_in_channels"].is_null()) return "Wan VACE " + size;
    if (has_image && !config["pos_embed_seq_len"].is_null()) return "Wan 2.1 FLF2V " + size;
    if (has_image) return "Wan 2.1 I2V " + size;
    if (in == 36) return "Wan 2.2 I2V " + size + " expert";
    if (in == 48) return "Wan 2.2 TI2V " + size;
    return size == "14B" ? "Wan 2.1 T2V 14B or an expert of Wan 2.2 T2V" : "Wan 2.1 T2V " + size;
}

Json number_or_null(std::int64_t value) {
    return value > 0 ? Json(value) : Json();
}

Json transformer_shapes(const TensorCatalog& tensors) {
    const auto dim = tensors.dim("scale_shift_table", 2);
    const auto patch = tensors.dim("patch_embedding.weight", 3);
    const auto image_dim = tensors.dim("condition_embedder.image_embedder.norm1.weight", 0);
    return {{"_class_name", kTransformerClass},
            {"dim", dim},
            {"patch_size", {1, patch, patch}},
            {"in_channels", tensors.dim("patch_embedding.weight", 1)},
            {"out_channels", patch > 0 ? tensors.dim("proj_out.weight", 0) / (patch * patch) : 0},
            {"text_dim", tensors.dim("condition_embedder.text_embedder.linear_1.weight", 1)},
            {"freq_dim", tensors.dim("condition_embedder.time_embedder.linear_1.weight", 1)},
            {"ffn_dim", tensors.dim("blocks.0.ffn.net.0.proj.weight", 0)},
            {"num_layers", tensors.count("blocks.")},
            {"image_dim", number_or_null(image_dim)},
            {"added_kv_proj_dim", number_or_null(tensors.dim("blocks.0.attn2.add_k_proj.weight", 1))},
            {"pos_embed_seq_len", number_or_null(tensors.dim("condition_embedder.image_embedder.pos_embed", 1))},
            {"vace_in_channels", number_or_null(tensors.dim("vace_patch_embedding.weight", 1))},
            {"num_vace_blocks", number_or_null(tensors.count("vace_blocks."))},
            {"cross_attn_norm", tensors.has("blocks.0.norm2.weight")}};
}

/// Returns the values that do not follow from the shapes. All published models have heads of width 128.
Json transformer_assumed(std::int64_t dim) {
    const auto head_dim = dim % kHeadDim == 0 ? kHeadDim : dim;
    return {{"num_attention_heads", head_dim > 0 ? dim / head_dim : 0},
            {"attention_head_dim", head_dim},
            {"qk_norm", "rms_norm_across_heads"},
            {"eps", 1e-6},
            {"rope_max_seq_len", 1024}};
}

LocalizableMessage reason_of(const Json& config) {
    const std::string channels = config["in_channels"].dump(), blocks = config["num_layers"].dump();
    const std::string width = config["dim"].dump();
    return {.code = "wan_transformer",
            .values = {{"channels", channels}, {"blocks", blocks}, {"width", width}},
            .text = "Wan's modulation tables and a patch embedding of " + channels + " channels; " + blocks +
                    " blocks of width " + width};
}

LocalizableMessage module_reason(std::int64_t width, std::int64_t blocks) {
    const std::string count = std::to_string(blocks), size = std::to_string(width);
    return {.code = "wan_vace_module",
            .values = {{"blocks", count}, {"width", size}},
            .text = "VACE's side branch without a main branch; " + count + " blocks of width " + size};
}

}  // namespace

std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors) {
    auto keys = find_transformer_keys(tensors);
    if (!keys) return std::nullopt;
    keys->shapes = ggml_shapes(tensors.renamed(*keys));
    const TensorCatalog canonical = tensors.renamed(*keys);
    if (canonical.num_axes("patch_embedding.weight") != 5) return std::nullopt;
    refuse_further_modules(tensors, keys->prefix);
    const Json config = transformer_shapes(canonical);
    return RecognizedPart{.family = "wan",
                          .component = "transformer",
                          .class_name = kTransformerClass,
                          .variant = variant_name(config),
                          .reason = reason_of(config),
                          .config = config,
                          .assumed = transformer_assumed(config["dim"].get<std::int64_t>()),
                          .key_map = std::move(*keys)};
}

std::optional<RecognizedPart> recognize_vace_module(const TensorCatalog& tensors) {
    const auto prefix = tensors.prefix_of("vace_patch_embedding.weight");
    if (!prefix || find_transformer_keys(tensors)) return std::nullopt;
    const bool is_native = tensors.has(*prefix + "vace_blocks.0.before_proj.weight");
    auto keys = is_native ? with_prefix(transformer_keys(), *prefix) : diffusers_names(*prefix);
    keys.shapes = ggml_shapes(tensors.renamed(keys));
    const TensorCatalog canonical = tensors.renamed(keys);
    if (canonical.num_axes("vace_patch_embedding.weight") != 5) return std::nullopt;
    const auto width = canonical.dim("vace_patch_embedding.weight", 0);
    const auto channels = canonical.dim("vace_patch_embedding.weight", 1);
    const auto blocks = canonical.count("vace_blocks.");
    // The condition consists of two videos of latents, and of a mask with a channel per pixel of a latent.
    const auto latent_channels = (channels - kMaskChannels) / 2;
    return RecognizedPart{.family = "wan",
                          .component = "module",
                          .class_name = "WanVACEModule",
                          .variant = "Wan VACE module of width " + std::to_string(width),
                          .reason = module_reason(width, blocks),
                          .config = {{"vace_in_channels", channels}, {"num_vace_blocks", blocks}},
                          .assumed = {{"dim", width},
                                      {"ffn_dim", canonical.dim("vace_blocks.0.ffn.net.0.proj.weight", 0)},
                                      {"in_channels", latent_channels},
                                      {"out_channels", latent_channels},
                                      {"image_dim", nullptr},
                                      {"vace_in_channels", nullptr}},
                          .key_map = std::move(keys)};
}

Json config_from_native(const Json& native) {
    Json config = Json::object();
    for (const auto& [stored, canonical] :
         {std::pair{"num_heads", "num_attention_heads"}, std::pair{"eps", "eps"}, std::pair{"in_dim", "in_channels"},
          std::pair{"out_dim", "out_channels"}, std::pair{"ffn_dim", "ffn_dim"}, std::pair{"freq_dim", "freq_dim"},
          std::pair{"num_layers", "num_layers"}, std::pair{"vace_layers", "vace_layers"},
          std::pair{"vace_in_dim", "vace_in_channels"}})
        if (native.contains(stored)) config[canonical] = native[stored];
    const auto dim = native.value("dim", Json());
    const auto heads = native.value("num_heads", Json());
    if (dim.is_number_unsigned() && heads.is_number_unsigned() && heads.get<std::uint64_t>() > 0)
        config["attention_head_dim"] = dim.get<std::uint64_t>() / heads.get<std::uint64_t>();
    return config;
}

}  // namespace kinescope::wan
