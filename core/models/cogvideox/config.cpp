#include "core/models/cogvideox/config.h"

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::cogvideox {

namespace {

[[noreturn]] void refuse_variant(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + what + " is not supported",
                "Supported: CogVideoX 2B, 5B, 5B image to video and 1.5.");
}

void require_text(const ConfigReader& reader, const std::filesystem::path& file, const char* key, const char* wanted) {
    if (const auto value = reader.text(key, wanted); value != wanted)
        refuse_variant(file, std::string(key) + " = " + value);
}

void check_transformer_variant(const ConfigReader& reader, const std::filesystem::path& file) {
    require_text(reader, file, "activation_fn", "gelu-approximate");
    require_text(reader, file, "timestep_activation_fn", "silu");
    for (const auto* key : {"attention_bias", "flip_sin_to_cos", "norm_elementwise_affine"})
        if (!reader.flag(key, true)) refuse_variant(file, std::string(key) + " = false");
    if (reader.integer("freq_shift", 0, {-1000, 1000}) != 0) refuse_variant(file, "freq_shift");
    if (reader.integer("temporal_compression_ratio", kTemporalCompression, {1, 64}) != kTemporalCompression)
        refuse_variant(file, "temporal_compression_ratio");
}

void read_positions(const ConfigReader& reader, TransformerConfig& config) {
    config.rotary = reader.flag("use_rotary_positional_embeddings", false);
    config.position_table = config.rotary ? PositionTable::none : PositionTable::sin_cos;
    if (reader.flag("use_learned_positional_embeddings", false)) config.position_table = PositionTable::learned;
}

void check_positions(const ConfigReader& reader, const TransformerConfig& config) {
    // Each axis takes a multiple of an eighth of the head (or width), and sines and cosines come in pairs.
    if (config.rotary && config.attention_head_dim % 16 != 0)
        reader.refuse("attention_head_dim", "it must be a multiple of 16 with rotary positions");
    if (config.position_table != PositionTable::none && config.dim() % 16 != 0)
        reader.refuse("num_attention_heads", "num_attention_heads * attention_head_dim must be a multiple of 16");
    if (config.sample_height % config.patch_size != 0 || config.sample_width % config.patch_size != 0)
        reader.refuse("patch_size", "it must be a divisor of sample_height and sample_width");
}

void read_sizes(const ConfigReader& reader, TransformerConfig& config) {
    config.patch_size = reader.integer("patch_size", config.patch_size, {1, 16});
    config.patch_size_t = reader.integer("patch_size_t", 0, {0, 16});
    config.patch_bias = reader.flag("patch_bias", true);
    config.sample_height = reader.integer("sample_height", config.sample_height, {1, 4096});
    config.sample_width = reader.integer("sample_width", config.sample_width, {1, 4096});
    config.sample_frames = reader.integer("sample_frames", config.sample_frames, {1, 4096});
    config.max_text_seq_length = reader.integer("max_text_seq_length", config.max_text_seq_length, {1, 4096});
}

void read_widths(const ConfigReader& reader, TransformerConfig& config) {
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 128});
    config.attention_head_dim = reader.integer("attention_head_dim", config.attention_head_dim, {1, 512});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 512});
    config.in_channels = reader.integer("in_channels", config.in_channels, {1, 1024});
    config.time_embed_dim = reader.integer("time_embed_dim", config.time_embed_dim, {1, 65536});
    config.ofs_embed_dim = reader.integer("ofs_embed_dim", 0, {0, 65536});
    config.text_embed_dim = reader.integer("text_embed_dim", config.text_embed_dim, {1, 65536});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    if (config.dim() % 2 != 0)
        reader.refuse("attention_head_dim", "num_attention_heads * attention_head_dim must be even");
    if (config.ofs_embed_dim % 2 != 0) reader.refuse("ofs_embed_dim", "it must be even");
    if (config.in_channels != config.out_channels && config.in_channels != 2 * config.out_channels)
        reader.refuse("in_channels", "it must be out_channels, or twice out_channels for image to video");
}

void check_levels(const ConfigReader& reader, const VaeConfig& config) {
    const auto levels = config.block_out_channels.size();
    if (levels < kTemporalLevels + 1 || levels > 8) reader.refuse("block_out_channels", "it must have 3 to 8 entries");
    for (const auto channels : config.block_out_channels)
        if (channels % config.norm_num_groups != 0)
            reader.refuse("norm_num_groups", "it must be a divisor of all block_out_channels");
}

void check_vae_variant(const ConfigReader& reader, const std::filesystem::path& file) {
    require_text(reader, file, "act_fn", "silu");
    for (const auto* key : {"use_quant_conv", "use_post_quant_conv"})
        if (reader.flag(key, false)) refuse_variant(file, key);
    for (const auto* key : {"in_channels", "out_channels"})
        if (reader.integer(key, 3, {1, 4096}) != 3) reader.refuse(key, "it must be 3");
    if (reader.number("temporal_compression_ratio", kTemporalCompression, {1, 64}) != kTemporalCompression)
        refuse_variant(file, "temporal_compression_ratio");
}

}  // namespace

TokenGrid TransformerConfig::native_grid() const {
    return {(sample_frames - 1) / kTemporalCompression + 1, sample_height / patch_size, sample_width / patch_size};
}

TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_transformer_variant(reader, file);
    TransformerConfig config;
    read_widths(reader, config);
    read_sizes(reader, config);
    read_positions(reader, config);
    config.spatial_interpolation_scale =
        reader.number("spatial_interpolation_scale", config.spatial_interpolation_scale, {1e-3, 1e3});
    config.temporal_interpolation_scale =
        reader.number("temporal_interpolation_scale", config.temporal_interpolation_scale, {1e-3, 1e3});
    config.norm_eps = reader.number("norm_eps", config.norm_eps, {0.0, 1.0});
    check_positions(reader, config);
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_vae_variant(reader, file);
    VaeConfig config;
    config.block_out_channels = reader.integers("block_out_channels", config.block_out_channels, {1, 8192});
    config.latent_channels = reader.integer("latent_channels", config.latent_channels, {1, 512});
    config.layers_per_block = reader.integer("layers_per_block", config.layers_per_block, {1, 64});
    config.norm_num_groups = reader.integer("norm_num_groups", config.norm_num_groups, {1, 1024});
    config.norm_eps = reader.number("norm_eps", config.norm_eps, {0.0, 1.0});
    config.scaling_factor = reader.number("scaling_factor", config.scaling_factor, {1e-6, 1e6});
    config.invert_scale_latents = reader.flag("invert_scale_latents", false);
    config.sample_height = reader.integer("sample_height", config.sample_height, {1, 8192});
    config.sample_width = reader.integer("sample_width", config.sample_width, {1, 8192});
    check_levels(reader, config);
    return config;
}

}  // namespace kinescope::cogvideox
