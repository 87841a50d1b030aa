#include "core/models/svd/config.h"
#include "core/models/svd/key_map.h"
#include "core/models/svd/recognize.h"

namespace kinescope::svd {

namespace {

std::optional<KeyMap> find_vae_keys(const TensorCatalog& tensors) {
    const std::string decoder = "first_stage_model.decoder.";
    if (tensors.has(decoder + "mid.block_1.time_stack.in_layers.0.weight"))
        return vae_keys(tensors.count(decoder + "up."));
    if (const auto prefix = tensors.prefix_of("decoder.mid_block.resnets.0.temporal_res_block.norm1.weight"))
        return diffusers_names(*prefix);
    return std::nullopt;
}

Json vae_shapes(const TensorCatalog& tensors) {
    Json channels = Json::array();
    const auto levels = tensors.count("encoder.down_blocks.");
    for (std::int64_t i = 0; i < levels; ++i)
        channels.push_back(tensors.dim("encoder.down_blocks." + std::to_string(i) + ".resnets.0.conv1.weight", 0));
    return {{"_class_name", kVaeClass},
            {"block_out_channels", channels},
            {"down_block_types", Json(static_cast<std::size_t>(levels), "DownEncoderBlock2D")},
            {"layers_per_block", tensors.count("encoder.down_blocks.0.resnets.")},
            {"latent_channels", tensors.dim("decoder.conv_in.weight", 1)},
            {"in_channels", tensors.dim("encoder.conv_in.weight", 1)},
            {"out_channels", tensors.dim("decoder.conv_out.weight", 0)}};
}

}  // namespace

std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors) {
    auto keys = find_vae_keys(tensors);
    if (!keys) return std::nullopt;
    const TensorCatalog canonical = tensors.renamed(*keys);
    const Json config = vae_shapes(canonical);
    return RecognizedPart{
        .family = "svd",
        .component = "vae",
        .class_name = kVaeClass,
        .variant = "Stable Video Diffusion VAE",
        .reason = {.code = "svd_vae",
                   .values = {{"channels", config["block_out_channels"].dump()}},
                   .text = "a VAE with a temporal decoder, channels " + config["block_out_channels"].dump()},
        .config = config,
        .assumed = {{"scaling_factor", 0.18215}, {"force_upcast", true}, {"sample_size", 768}},
        .key_map = std::move(*keys)};
}

}  // namespace kinescope::svd
