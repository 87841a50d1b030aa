#include "core/models/cogvideox/config.h"
#include "core/models/cogvideox/key_map.h"
#include "core/models/cogvideox/recognize.h"

namespace kinescope::cogvideox {

namespace {

std::optional<KeyMap> find_vae_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("encoder.down.0.block.0.conv1.conv.weight"))
        return with_prefix(vae_keys(tensors.count(*prefix + "encoder.down.")), *prefix);
    if (const auto prefix = tensors.prefix_of("decoder.mid_block.resnets.0.norm1.conv_y.conv.weight"))
        return diffusers_names(*prefix);
    return std::nullopt;
}

Json vae_shapes(const TensorCatalog& tensors) {
    Json channels = Json::array();
    const auto levels = tensors.count("encoder.down_blocks.");
    for (std::int64_t i = 0; i < levels; ++i)
        channels.push_back(tensors.dim("encoder.down_blocks." + std::to_string(i) + ".resnets.0.conv1.conv.weight", 0));
    return {{"_class_name", kVaeClass},
            {"block_out_channels", channels},
            {"layers_per_block", tensors.count("encoder.down_blocks.0.resnets.")},
            {"latent_channels", tensors.dim("decoder.conv_in.conv.weight", 1)},
            {"in_channels", tensors.dim("encoder.conv_in.conv.weight", 1)},
            {"out_channels", tensors.dim("decoder.conv_out.conv.weight", 0)},
            {"down_block_types", Json(static_cast<std::size_t>(levels), "CogVideoXDownBlock3D")},
            {"up_block_types", Json(static_cast<std::size_t>(levels), "CogVideoXUpBlock3D")}};
}

}  // namespace

std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors) {
    auto keys = find_vae_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const Json config = vae_shapes(canonical);
    return RecognizedPart{.family = "cogvideox",
                          .component = "vae",
                          .class_name = kVaeClass,
                          .variant = "CogVideoX VAE",
                          .reason = {.code = "cogvideox_vae",
                                     .values = {{"channels", config["latent_channels"].dump()}},
                                     .text = "a causal video VAE whose decoder norms depend on the latents, " +
                                             config["latent_channels"].dump() + " latent channels"},
                          .config = config,
                          .assumed = {{"norm_num_groups", 32},
                                      {"norm_eps", 1e-6},
                                      {"act_fn", "silu"},
                                      {"temporal_compression_ratio", 4},
                                      {"sample_height", 480},
                                      {"sample_width", 720}},
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope::cogvideox
