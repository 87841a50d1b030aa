#include <cmath>

#include "core/models/ltx/config.h"
#include "core/models/ltx/key_map.h"
#include "core/models/ltx/recognize.h"

namespace kinescope::ltx {

namespace {

std::optional<KeyMap> find_vae_keys(const TensorCatalog& tensors) {
    if (const auto prefix = tensors.prefix_of("per_channel_statistics.mean-of-means"))
        if (tensors.any_starts_with(*prefix + "decoder.up_blocks.0.res_blocks.")) return vae_keys(tensors, *prefix);
    if (const auto prefix = tensors.prefix_of("latents_mean"))
        if (tensors.has(*prefix + "decoder.mid_block.resnets.0.conv1.conv.weight")) return diffusers_names(*prefix);
    return std::nullopt;
}

std::string block_name(const char* row, std::int64_t index) {
    return std::string(row) + std::to_string(index);
}

std::int64_t width_of(const TensorCatalog& tensors, const std::string& block) {
    return tensors.dim(block + ".resnets.0.conv1.conv.weight", 0);
}

/// Returns the type of a downsampler, from the ratio of the level's channels to those of its convolution.
const char* downsample_name(std::int64_t channels, std::int64_t convolved) {
    const auto ratio = convolved > 0 ? channels / convolved : 0;
    return ratio == 2 ? "temporal" : ratio == 4 ? "spatial" : "spatiotemporal";
}

void add_encoder_shapes(const TensorCatalog& tensors, Json& config) {
    constexpr auto kRow = "encoder.down_blocks.";
    const auto levels = tensors.count(kRow);
    const bool is_095 = tensors.has("encoder.down_blocks.0.downsamplers.0.conv.conv.weight");
    Json widths = Json::array(), layers = Json::array(), scaling = Json::array(), types = Json::array();
    for (std::int64_t i = 0; i < levels; ++i) {
        const auto block = block_name(kRow, i);
        const auto next = i + 1 < levels ? block_name(kRow, i + 1) : std::string("encoder.mid_block");
        const auto convolved = tensors.dim(block + ".downsamplers.0.conv.conv.weight", 0);
        widths.push_back(width_of(tensors, block));
        layers.push_back(tensors.count(block + ".resnets."));
        scaling.push_back(tensors.any_starts_with(block + ".downsamplers."));
        types.push_back(is_095 ? downsample_name(width_of(tensors, next), convolved) : "conv");
    }
    layers.push_back(tensors.count("encoder.mid_block.resnets."));
    if (is_095) widths.push_back(width_of(tensors, "encoder.mid_block"));
    config.update({{"block_out_channels", widths},
                   {"layers_per_block", layers},
                   {"spatio_temporal_scaling", scaling},
                   {"downsample_type", types},
                   {"down_block_types", Json(static_cast<std::size_t>(levels),
                                             is_095 ? "LTXVideo095DownBlock3D" : "LTXVideoDownBlock3D")}});
}

bool injects_noise(const TensorCatalog& tensors, const std::string& block) {
    return tensors.has(block + ".resnets.0.per_channel_scale1");
}

/// Adds the decoder's levels to the config, which lists them from the outermost to the innermost.
void add_decoder_shapes(const TensorCatalog& tensors, Json& config) {
    constexpr auto kRow = "decoder.up_blocks.";
    Json widths = Json::array(), layers = Json::array(), scaling = Json::array(), noise = Json::array();
    Json factors = Json::array(), residual = Json::array();
    for (auto i = tensors.count(kRow) - 1; i >= 0; --i) {
        const auto block = block_name(kRow, i);
        const auto upsampler = block + ".upsamplers.0.conv.conv.weight";
        const auto convolved = tensors.dim(upsampler, 0);
        const auto factor = convolved > 0 ? 8 * tensors.dim(upsampler, 1) / convolved : 1;
        widths.push_back(width_of(tensors, block) * factor);
        layers.push_back(tensors.count(block + ".resnets."));
        scaling.push_back(convolved > 0);
        noise.push_back(injects_noise(tensors, block));
        factors.push_back(factor);
        residual.push_back(factor > 1);
    }
    layers.push_back(tensors.count("decoder.mid_block.resnets."));
    noise.push_back(injects_noise(tensors, "decoder.mid_block"));
    config.update({{"decoder_block_out_channels", widths},
                   {"decoder_layers_per_block", layers},
                   {"decoder_spatio_temporal_scaling", scaling},
                   {"decoder_inject_noise", noise},
                   {"upsample_factor", factors},
                   {"upsample_residual", residual}});
}

Json vae_shapes(const TensorCatalog& tensors) {
    const auto patch_channels = tensors.dim("encoder.conv_in.conv.weight", 1);
    Json config{{"_class_name", kVaeClass},
                {"latent_channels", tensors.dim("decoder.conv_in.conv.weight", 1)},
                {"patch_size", std::lround(std::sqrt(static_cast<double>(patch_channels) / 3.0))},
                {"timestep_conditioning", tensors.any_starts_with("decoder.time_embedder.")}};
    add_encoder_shapes(tensors, config);
    add_decoder_shapes(tensors, config);
    return config;
}

std::string vae_variant(const Json& config) {
    if (is_vae_095(config)) return "LTX-Video 0.9.5 VAE";
    return config["timestep_conditioning"] == true ? "LTX-Video 0.9.1 VAE" : "LTX-Video 0.9 VAE";
}

}  // namespace

bool is_vae_095(const Json& config) {
    const auto types = config.find("down_block_types");
    return types != config.end() && types->is_array() && !types->empty() && types->front() == "LTXVideo095DownBlock3D";
}

bool holds_vae_095(const TensorCatalog& tensors) {
    const auto prefix = tensors.prefix_of("per_channel_statistics.mean-of-means");
    return prefix && tensors.has(*prefix + "encoder.down_blocks.1.conv.conv.weight");
}

std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors) {
    auto keys = find_vae_keys(tensors);
    if (!keys) return std::nullopt;
    const Json config = vae_shapes(tensors.renamed(*keys));
    return RecognizedPart{.family = "ltx",
                          .component = "vae",
                          .class_name = kVaeClass,
                          .variant = vae_variant(config),
                          .reason = {.code = "ltx_vae",
                                     .values = {{"channels", config["latent_channels"].dump()}},
                                     .text = "a video VAE with 4 x 4 patches and stored statistics of each channel, " +
                                             config["latent_channels"].dump() + " latent channels"},
                          .config = config,
                          .assumed = {{"in_channels", 3},
                                      {"out_channels", 3},
                                      {"patch_size_t", 1},
                                      {"resnet_norm_eps", 1e-6},
                                      {"scaling_factor", 1.0},
                                      {"encoder_causal", true},
                                      {"decoder_causal", false}},
                          .key_map = std::move(*keys)};
}

}  // namespace kinescope::ltx
