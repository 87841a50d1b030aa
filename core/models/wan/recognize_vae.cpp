#include <algorithm>

#include "core/models/wan/config.h"
#include "core/models/wan/ggml_shapes.h"
#include "core/models/wan/key_map.h"
#include "core/models/wan/recognize.h"

namespace kinescope::wan {

namespace {

/// Finds the naming by a tensor that only a VAE contains, because ComfyUI checkpoints contain several components.
std::optional<KeyMap> find_vae_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("decoder.upsamples.0.upsamples.0.residual.0.gamma"))
        return with_prefix(vae_22_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("decoder.upsamples.0.residual.0.gamma"))
        return with_prefix(vae_21_keys(), *prefix);
    if (const auto prefix = tensors.prefix_of("decoder.up_blocks.0.resnets.0.norm1.gamma"))
        return diffusers_names(*prefix);
    return std::nullopt;
}

struct Level {
    std::int64_t channels = 0;
    bool doubles_time = false;
};

/// Returns the decoder's levels in the reverse order of the file, beginning with that of the base width.
std::vector<Level> decoder_levels(const TensorCatalog& tensors) {
    std::vector<Level> levels;
    for (std::int64_t i = tensors.count("decoder.up_blocks.") - 1; i >= 0; --i) {
        const std::string block = "decoder.up_blocks." + std::to_string(i) + ".";
        levels.push_back({.channels = tensors.dim(block + "resnets.0.conv1.weight", 0),
                          .doubles_time = tensors.has(block + "upsamplers.0.time_conv.weight") ||
                                          tensors.has(block + "upsampler.time_conv.weight")});
    }
    return levels;
}

Json vae_shapes(const TensorCatalog& tensors) {
    const auto levels = decoder_levels(tensors);
    const auto base = levels.empty() ? 0 : levels.front().channels;
    Json dim_mult = Json::array();
    Json temporal = Json::array();
    for (const auto& level : levels) dim_mult.push_back(base > 0 ? level.channels / base : 0);
    // An encoder level halves the number of frames if the next decoder level doubles it.
    for (std::size_t i = 1; i < levels.size(); ++i) temporal.push_back(levels[i].doubles_time);
    const auto z_dim = tensors.dim("post_quant_conv.weight", 0);
    const auto out = tensors.dim("decoder.conv_out.weight", 0);
    const bool is_22 = tensors.any_starts_with("decoder.up_blocks.0.upsampler.");
    return {{"_class_name", kVaeClass},
            {"base_dim", tensors.has("encoder.conv_in.weight") ? tensors.dim("encoder.conv_in.weight", 0) : base},
            {"decoder_base_dim", base},
            {"z_dim", z_dim},
            {"dim_mult", dim_mult},
            {"num_res_blocks", std::max<std::int64_t>(tensors.count("decoder.up_blocks.0.resnets.") - 1, 0)},
            {"temperal_downsample", temporal},
            {"is_residual", is_22},
            {"in_channels", out},
            {"out_channels", out},
            {"patch_size", is_22 ? Json(2) : Json()}};
}

/// Returns the values that do not follow from the shapes. Omits latents_mean and latents_std, for which the defaults
/// apply.
Json vae_assumed() {
    return {{"attn_scales", Json::array()}};
}

}  // namespace

Json published_vae_22_config() {
    Json config = vae_assumed();
    config.update({{"base_dim", 160},
                   {"decoder_base_dim", 256},
                   {"z_dim", 48},
                   {"is_residual", true},
                   {"in_channels", 12},
                   {"out_channels", 12},
                   {"patch_size", 2}});
    return config;
}

std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors) {
    auto keys = find_vae_keys(tensors);
    if (!keys) return std::nullopt;
    keys->shapes = ggml_shapes(tensors.renamed(*keys));
    const TensorCatalog canonical = tensors.renamed(*keys);
    if (canonical.num_axes("decoder.conv_in.weight") != 5) return std::nullopt;
    const Json config = vae_shapes(canonical);
    const bool is_22 = config["is_residual"].get<bool>();
    return RecognizedPart{.family = "wan",
                          .component = "vae",
                          .class_name = kVaeClass,
                          .variant = is_22 ? "Wan 2.2 VAE (16x)" : "Wan 2.1 VAE (8x)",
                          .reason = {.code = is_22 ? "wan_vae_2_2" : "wan_vae",
                                     .values = {{"channels", config["z_dim"].dump()}},
                                     .text = "a causal video VAE with RMS norms, " + config["z_dim"].dump() +
                                             " latent channels" + (is_22 ? ", residual shortcuts" : "")},
                          .config = config,
                          .assumed = vae_assumed(),
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope::wan
