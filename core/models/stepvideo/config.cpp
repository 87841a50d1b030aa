#include "core/models/stepvideo/config.h"

#include <algorithm>
#include <numeric>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::stepvideo {

namespace {

[[noreturn]] void refuse_variant(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + what + " is not supported yet",
                "Supported: Step-Video-T2V and its Turbo variant.");
}

template <std::size_t N>
std::array<std::int64_t, N> fixed(const ConfigReader& reader, const char* key,
                                  const std::array<std::int64_t, N>& fallback) {
    const auto values = reader.integers(key, {fallback.begin(), fallback.end()}, {1, 65536});
    if (values.size() != N) reader.refuse(key, "expected " + std::to_string(N) + " numbers");
    std::array<std::int64_t, N> result{};
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

void check_rope(const ConfigReader& reader, const TransformerConfig& config) {
    const auto& split = config.rope_channel_split;
    const auto is_odd = [](std::int64_t channels) { return channels % 2 != 0; };
    if (std::accumulate(split.begin(), split.end(), std::int64_t{0}) != config.attention_head_dim ||
        std::any_of(split.begin(), split.end(), is_odd))
        reader.refuse("rope_channel_split", "the numbers must be even, and their sum must be attention_head_dim");
}

/// Checks that the channels are multiples of the norm groups, and that folding and repeating channels leaves no
/// remainder.
void check_widths(const ConfigReader& reader, const VaeConfig& config) {
    for (std::size_t level = 0; level < config.ch_mult.size(); ++level)
        if (config.width(level) % config.norm_num_groups != 0)
            reader.refuse("ch_mult", "the width of each level must be a multiple of norm_num_groups");
    if (8 * config.widest() % config.folded() != 0)
        reader.refuse("ch_mult", "the width of the last level must be a multiple of 4 * z_channels");
}

}  // namespace

TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    if (reader.flag("use_additional_conditions", false))
        refuse_variant(file, "use_additional_conditions (Step-Video-TI2V)");
    if (reader.integer("patch_size", 1, {1, 16}) != 1) refuse_variant(file, "patch_size other than 1");
    TransformerConfig config;
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 512});
    config.attention_head_dim = reader.integer("attention_head_dim", config.attention_head_dim, {8, 1024});
    config.in_channels = reader.integer("in_channels", config.in_channels, {1, 4096});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 4096});
    if (config.in_channels != config.out_channels)
        refuse_variant(file, "in_channels other than out_channels (an image as input)");
    config.caption_channels = fixed(reader, "caption_channels", config.caption_channels);
    const auto quarter = config.attention_head_dim / 4;
    config.rope_channel_split =
        fixed<3>(reader, "rope_channel_split", {config.attention_head_dim - 2 * quarter, quarter, quarter});
    check_rope(reader, config);
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    if (reader.integer("version", 2, {1, 1000}) != 2) refuse_variant(file, "version 1 of the VAE");
    VaeConfig config;
    config.ch = reader.integer("ch", config.ch, {1, 4096});
    config.ch_mult = fixed(reader, "ch_mult", config.ch_mult);
    config.num_res_blocks = reader.integer("num_res_blocks", config.num_res_blocks, {0, 64});
    config.z_channels = reader.integer("z_channels", config.z_channels, {1, 1024});
    config.norm_num_groups = reader.integer("norm_num_groups", config.norm_num_groups, {1, 1024});
    check_widths(reader, config);
    return config;
}

}  // namespace kinescope::stepvideo
