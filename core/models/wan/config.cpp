#include "core/models/wan/config.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::wan {

namespace {

/// Of the Wan 2.1 VAE: configs written before these keys existed mean them.
const std::vector<double> kLatentsMean = {-0.7571, -0.7089, -0.9113, 0.1075,  -0.1745, 0.9653,  -0.1517, 1.5508,
                                          0.4134,  -0.0715, 0.5517,  -0.3632, -0.1922, -0.9497, 0.2503,  -0.2921};
const std::vector<double> kLatentsStd = {2.8184, 1.4541, 2.3275, 2.6558, 1.2196, 1.7708, 2.6052, 2.0743,
                                         3.2687, 2.1526, 2.8652, 1.5579, 1.6382, 1.1253, 2.8251, 1.9160};

[[noreturn]] void refuse_variant(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + what + " is not supported yet",
                "Wan 2.1 text to video models work.");
}

void check_transformer_variant(const ConfigReader& reader, const std::filesystem::path& file) {
    if (reader.integer("image_dim", 0, {0, 1 << 20}) != 0) refuse_variant(file, "image_dim");
    if (reader.integer("added_kv_proj_dim", 0, {0, 1 << 20}) != 0) refuse_variant(file, "added_kv_proj_dim");
    if (!reader.flag("cross_attn_norm", true)) refuse_variant(file, "cross_attn_norm = false");
    if (const auto norm = reader.text("qk_norm", "rms_norm_across_heads"); norm != "rms_norm_across_heads")
        refuse_variant(file, "qk_norm = " + norm);
}

/// One number for each latent channel.
void check_statistics(const ConfigReader& reader, const char* key, const std::vector<double>& values,
                      std::int64_t z_dim) {
    if (static_cast<std::int64_t>(values.size()) != z_dim)
        reader.refuse(key, "one number for each of the " + std::to_string(z_dim) + " latent channels is expected");
}

void check_levels(const ConfigReader& reader, const VaeConfig& config) {
    const auto levels = config.dim_mult.size();
    if (levels < 1 || levels > 8) reader.refuse("dim_mult", "1 to 8 entries are expected");
    if (config.temporal_downsample.size() + 1 != levels)
        reader.refuse("temperal_downsample",
                      std::to_string(levels - 1) + " entries are expected, one fewer than dim_mult");
    for (std::size_t i = 1; i < levels; ++i)
        if (config.base_dim * config.dim_mult[i] % 2 != 0)
            reader.refuse("dim_mult", "each level that is upsampled needs an even number of channels");
    if (config.out_channels % (config.patch_size * config.patch_size) != 0 ||
        config.out_channels / (config.patch_size * config.patch_size) != 3)
        reader.refuse("out_channels", "3 channels for each pixel of a patch are expected");
}

/// Keys that repeat what the structure says: a contradiction is a damaged file.
void check_scale(const ConfigReader& reader, const char* key, std::int64_t expected) {
    if (reader.integer(key, expected, {1, 4096}) != expected)
        reader.refuse(key, std::to_string(expected) + " follows from the other keys");
}

}  // namespace

std::int64_t VaeConfig::scale_factor_spatial() const {
    return patch_size << (dim_mult.size() - 1);
}

std::int64_t VaeConfig::scale_factor_temporal() const {
    return std::int64_t{1} << std::count(temporal_downsample.begin(), temporal_downsample.end(), true);
}

TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_transformer_variant(reader, file);
    TransformerConfig config;
    const auto patch = reader.integers("patch_size", {1, 2, 2}, {1, 16});
    if (patch.size() != 3 || patch[0] != 1 || patch[1] != patch[2])
        reader.refuse("patch_size", "[1, n, n] is expected");
    std::copy(patch.begin(), patch.end(), config.patch_size.begin());
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 128});
    config.attention_head_dim = reader.integer("attention_head_dim", config.attention_head_dim, {6, 512});
    if (config.attention_head_dim % 2 != 0) reader.refuse("attention_head_dim", "an even number is expected");
    config.in_channels = reader.integer("in_channels", config.in_channels, {1, 512});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 512});
    config.text_dim = reader.integer("text_dim", config.text_dim, {1, 65536});
    config.freq_dim = reader.integer("freq_dim", config.freq_dim, {2, 8192});
    if (config.freq_dim % 2 != 0) reader.refuse("freq_dim", "an even number is expected");
    config.ffn_dim = reader.integer("ffn_dim", config.ffn_dim, {1, 262144});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.rope_max_seq_len = reader.integer("rope_max_seq_len", config.rope_max_seq_len, {1, 65536});
    config.eps = reader.number("eps", config.eps, {0.0, 1.0});
    if (config.in_channels != config.out_channels)
        refuse_variant(file, "in_channels other than out_channels (an image as input)");
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    if (reader.flag("is_residual", false)) refuse_variant(file, "is_residual (the VAE of Wan 2.2 5B)");
    if (!reader.integers("attn_scales", {}, {0, 1 << 20}).empty()) refuse_variant(file, "attn_scales");
    VaeConfig config;
    const auto encoder_dim = reader.integer("base_dim", config.base_dim, {1, 4096});
    config.base_dim = reader.integer("decoder_base_dim", encoder_dim, {1, 4096});
    config.z_dim = reader.integer("z_dim", config.z_dim, {1, 512});
    config.dim_mult = reader.integers("dim_mult", config.dim_mult, {1, 64});
    config.num_res_blocks = reader.integer("num_res_blocks", config.num_res_blocks, {0, 64});
    config.temporal_downsample = reader.flags("temperal_downsample", config.temporal_downsample);
    config.patch_size = reader.integer("patch_size", 1, {1, 16});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 4096});
    config.latents_mean = reader.numbers("latents_mean");
    config.latents_std = reader.numbers("latents_std");
    if (config.latents_mean.empty()) config.latents_mean = kLatentsMean;
    if (config.latents_std.empty()) config.latents_std = kLatentsStd;
    check_levels(reader, config);
    check_statistics(reader, "latents_mean", config.latents_mean, config.z_dim);
    check_statistics(reader, "latents_std", config.latents_std, config.z_dim);
    for (const auto value : config.latents_std)
        if (!(value > 0)) reader.refuse("latents_std", "numbers above 0 are expected");
    check_scale(reader, "scale_factor_spatial", config.scale_factor_spatial());
    check_scale(reader, "scale_factor_temporal", config.scale_factor_temporal());
    return config;
}

}  // namespace kinescope::wan
