#include "core/models/wan/config.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::wan {

namespace {

/// Statistics of the latents of the Wan 2.1 VAE, for configs that were written before these keys existed.
const std::vector<double> kLatentsMean16 = {-0.7571, -0.7089, -0.9113, 0.1075,  -0.1745, 0.9653,  -0.1517, 1.5508,
                                            0.4134,  -0.0715, 0.5517,  -0.3632, -0.1922, -0.9497, 0.2503,  -0.2921};
const std::vector<double> kLatentsStd16 = {2.8184, 1.4541, 2.3275, 2.6558, 1.2196, 1.7708, 2.6052, 2.0743,
                                           3.2687, 2.1526, 2.8652, 1.5579, 1.6382, 1.1253, 2.8251, 1.9160};

/// Statistics of the latents of the Wan 2.2 VAE with 48 channels.
const std::vector<double> kLatentsMean48 = {
    -0.2289, -0.0052, -0.1323, -0.2339, -0.2799, 0.0174,  0.1838,  0.1557,  -0.1382, 0.0542,  0.2813,  0.0891,
    0.1570,  -0.0098, 0.0375,  -0.1825, -0.2246, -0.1207, -0.0698, 0.5109,  0.2665,  -0.2108, -0.2158, 0.2502,
    -0.2055, -0.0322, 0.1109,  0.1567,  -0.0729, 0.0899,  -0.2799, -0.1230, -0.0313, -0.1649, 0.0117,  0.0723,
    -0.2839, -0.2083, -0.0520, 0.3748,  0.0152,  0.1957,  0.1433,  -0.2944, 0.3573,  -0.0548, -0.1681, -0.0667};
const std::vector<double> kLatentsStd48 = {
    0.4765, 1.0364, 0.4514, 1.1677, 0.5313, 0.4990, 0.4818, 0.5013, 0.8158, 1.0344, 0.5894, 1.0901,
    0.6885, 0.6165, 0.8454, 0.4978, 0.5759, 0.3523, 0.7135, 0.6804, 0.5833, 1.4146, 0.8986, 0.5659,
    0.7069, 0.5338, 0.4889, 0.4917, 0.4069, 0.4999, 0.6866, 0.4093, 0.5709, 0.6065, 0.6415, 0.4944,
    0.5726, 1.2042, 0.5458, 1.6887, 0.3971, 1.0600, 0.3943, 0.5537, 0.5444, 0.4089, 0.7468, 0.7744};

[[noreturn]] void refuse_variant(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + what + " is not supported",
                "Supported: the published Wan 2.1 and Wan 2.2 models.");
}

void check_transformer_variant(const ConfigReader& reader, const std::filesystem::path& file) {
    if (!reader.flag("cross_attn_norm", true)) refuse_variant(file, "cross_attn_norm = false");
    if (const auto norm = reader.text("qk_norm", "rms_norm_across_heads"); norm != "rms_norm_across_heads")
        refuse_variant(file, "qk_norm = " + norm);
}

/// Throws Error(bad_config) unless `values` contains one number per latent channel.
void check_statistics(const ConfigReader& reader, const char* key, const std::vector<double>& values,
                      std::int64_t z_dim) {
    if (static_cast<std::int64_t>(values.size()) != z_dim)
        reader.refuse(key, "it must have one number for each of the " + std::to_string(z_dim) + " latent channels");
}

/// Reads the options of the image branch. Its attention keys and values are projected from the transformer's width.
void read_image_branch(const ConfigReader& reader, TransformerConfig& config) {
    config.image_dim = reader.integer("image_dim", 0, {0, 65536});
    const auto added = reader.integer("added_kv_proj_dim", 0, {0, 65536});
    if (added != (config.has_image_branch() ? config.dim() : 0))
        reader.refuse("added_kv_proj_dim", "it must be the transformer's width if image_dim is set, otherwise null");
    config.pos_embed_seq_len = reader.integer("pos_embed_seq_len", 0, {0, 65536});
    if (config.pos_embed_seq_len % 2 != 0)
        reader.refuse("pos_embed_seq_len", "it must be even, because it is the number of tokens of two images");
}

/// Returns the main blocks after which the hints of VACE's blocks are added: published models spread them evenly.
std::vector<std::int64_t> published_vace_layers(std::int64_t num_layers, std::int64_t num_vace_blocks) {
    std::vector<std::int64_t> layers;
    for (std::int64_t k = 0; k < num_vace_blocks; ++k) layers.push_back(k * (num_layers / num_vace_blocks));
    return layers;
}

/// Reads the keys of VACE's side branch. For single files, which do not contain "vace_layers", the number of blocks
/// takes the place of that key.
void read_vace_branch(const ConfigReader& reader, TransformerConfig& config) {
    const auto num_blocks = reader.integer("num_vace_blocks", 0, {0, config.num_layers});
    const auto published = published_vace_layers(config.num_layers, num_blocks);
    config.vace_layers = reader.integers("vace_layers", published, {0, config.num_layers - 1});
    if (!config.has_vace()) return;
    const auto& layers = config.vace_layers;
    const auto not_ascending = [](std::int64_t a, std::int64_t b) { return a >= b; };
    if (layers.front() != 0 || std::ranges::adjacent_find(layers, not_ascending) != layers.end())
        reader.refuse("vace_layers", "ascending block numbers that begin with 0 are expected");
    config.vace_in_channels = reader.integer("vace_in_channels", 96, {1, 4096});
    if (config.has_image_branch()) reader.refuse("image_dim", "null is expected for a VACE model");
    if (config.condition_channels() > 0) reader.refuse("in_channels", "out_channels is expected for a VACE model");
}

void check_levels(const ConfigReader& reader, const VaeConfig& config) {
    const auto levels = config.dim_mult.size();
    if (levels < 1 || levels > 8) reader.refuse("dim_mult", "it must have 1 to 8 entries");
    if (config.temporal_downsample.size() + 1 != levels)
        reader.refuse("temperal_downsample",
                      "it must have " + std::to_string(levels - 1) + " entries, one fewer than dim_mult");
    for (std::size_t i = 1; i < levels && !config.is_residual; ++i)
        if (config.decoder_base_dim * config.dim_mult[i] % 2 != 0)
            reader.refuse("dim_mult", "each level that is upsampled needs an even number of channels");
    for (const auto* key : {"in_channels", "out_channels"})
        if (reader.integer(key, 3, {1, 4096}) != config.patch_channels())
            reader.refuse(key, "it must be 3 times the number of pixels of a patch");
}

/// Checks that the shortcuts between adjacent levels can repeat or average whole channels.
void check_shortcuts(const ConfigReader& reader, const VaeConfig& config) {
    const auto last = config.dim_mult.size() - 1;
    for (std::size_t level = 0; config.is_residual && level <= last; ++level) {
        const auto inner = config.dim_mult[std::min(level + 1, last)];
        const auto outer = level == 0 ? 1 : config.dim_mult[level - 1];
        const auto down = (config.changes_space(level) ? 4 : 1) * (config.changes_time(level) ? 2 : 1);
        const auto up = level == 0 ? 0 : 4 * (config.changes_time(level - 1) ? 2 : 1);
        if (outer * down % config.dim_mult[level] != 0 || config.dim_mult[level] * up % inner != 0)
            reader.refuse("dim_mult",
                          "the shortcuts must be able to repeat or average the channels without a remainder");
    }
}

/// Checks a key that repeats a structural fact. A contradiction means that the file is damaged.
void check_scale(const ConfigReader& reader, const char* key, std::int64_t expected) {
    if (reader.integer(key, expected, {1, 4096}) != expected)
        reader.refuse(key, "it must be " + std::to_string(expected) + " to match the other keys");
}

}  // namespace

std::int64_t VaeConfig::scale_factor_spatial() const {
    return patch_size << (dim_mult.size() - 1);
}

std::int64_t VaeConfig::scale_factor_temporal() const {
    return std::int64_t{1} << std::count(temporal_downsample.begin(), temporal_downsample.end(), true);
}

bool VaeConfig::has_published_latents() const {
    return (latents_mean == kLatentsMean16 && latents_std == kLatentsStd16) ||
           (latents_mean == kLatentsMean48 && latents_std == kLatentsStd48);
}

TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_transformer_variant(reader, file);
    TransformerConfig config;
    const auto patch = reader.integers("patch_size", {1, 2, 2}, {1, 16});
    if (patch.size() != 3 || patch[0] != 1 || patch[1] != patch[2]) reader.refuse("patch_size", "it must be [1, n, n]");
    std::copy(patch.begin(), patch.end(), config.patch_size.begin());
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 128});
    config.attention_head_dim = reader.integer("attention_head_dim", config.attention_head_dim, {6, 512});
    if (config.attention_head_dim % 2 != 0) reader.refuse("attention_head_dim", "it must be even");
    config.in_channels = reader.integer("in_channels", config.in_channels, {1, 512});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 512});
    config.text_dim = reader.integer("text_dim", config.text_dim, {1, 65536});
    config.freq_dim = reader.integer("freq_dim", config.freq_dim, {2, 8192});
    if (config.freq_dim % 2 != 0) reader.refuse("freq_dim", "it must be even");
    config.ffn_dim = reader.integer("ffn_dim", config.ffn_dim, {1, 262144});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.rope_max_seq_len = reader.integer("rope_max_seq_len", config.rope_max_seq_len, {1, 65536});
    config.eps = reader.number("eps", config.eps, {0.0, 1.0});
    if (config.in_channels < config.out_channels) reader.refuse("in_channels", "it must be at least out_channels");
    read_image_branch(reader, config);
    read_vace_branch(reader, config);
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    if (!reader.integers("attn_scales", {}, {0, 1 << 20}).empty()) refuse_variant(file, "attn_scales");
    VaeConfig config;
    config.base_dim = reader.integer("base_dim", config.base_dim, {1, 4096});
    config.decoder_base_dim = reader.integer("decoder_base_dim", config.base_dim, {1, 4096});
    config.is_residual = reader.flag("is_residual", false);
    config.z_dim = reader.integer("z_dim", config.z_dim, {1, 512});
    config.dim_mult = reader.integers("dim_mult", config.dim_mult, {1, 64});
    config.num_res_blocks = reader.integer("num_res_blocks", config.num_res_blocks, {0, 64});
    config.temporal_downsample = reader.flags("temperal_downsample", config.temporal_downsample);
    config.patch_size = reader.integer("patch_size", 1, {1, 16});
    config.latents_mean = reader.numbers("latents_mean");
    config.latents_std = reader.numbers("latents_std");
    const bool is_wide = config.z_dim == static_cast<std::int64_t>(kLatentsMean48.size());
    if (config.latents_mean.empty()) config.latents_mean = is_wide ? kLatentsMean48 : kLatentsMean16;
    if (config.latents_std.empty()) config.latents_std = is_wide ? kLatentsStd48 : kLatentsStd16;
    check_levels(reader, config);
    check_shortcuts(reader, config);
    check_statistics(reader, "latents_mean", config.latents_mean, config.z_dim);
    check_statistics(reader, "latents_std", config.latents_std, config.z_dim);
    for (const auto value : config.latents_std)
        if (!(value > 0)) reader.refuse("latents_std", "each number must be above 0");
    check_scale(reader, "scale_factor_spatial", config.scale_factor_spatial());
    check_scale(reader, "scale_factor_temporal", config.scale_factor_temporal());
    return config;
}

PipelineConfig read_pipeline_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    PipelineConfig config{.boundary_ratio = std::nullopt, .expand_timesteps = reader.flag("expand_timesteps", false)};
    const auto found = json.find("boundary_ratio");
    if (found != json.end() && !found->is_null())
        config.boundary_ratio = reader.number("boundary_ratio", std::nullopt, {0.0, 1.0});
    return config;
}

}  // namespace kinescope::wan
