#include "core/models/svd/config.h"

#include <string>
#include <utility>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::svd {

namespace {

constexpr std::size_t kMaxLevels = 8;
const std::vector<std::int64_t> kPublishedChannels = {320, 640, 1280, 1280};

/// Reads a list of block classes. Returns for each one whether it has attention, or `fallback` if the key is missing.
std::vector<bool> attention_of(const Json& json, const ConfigReader& reader, const std::string& key,
                               const std::string& block, const std::vector<bool>& fallback) {
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) return fallback;
    if (!found->is_array()) reader.refuse(key, "expected a list of block classes");
    std::vector<bool> result;
    for (const auto& entry : *found) {
        if (entry != block && entry != "CrossAttn" + block)
            reader.refuse(key, "each entry must be " + block + " or CrossAttn" + block);
        result.push_back(entry != block);
    }
    return result;
}

/// Reads one number for all levels, or a list with one number per level.
std::vector<std::int64_t> per_level(const Json& json, const ConfigReader& reader, const std::string& key,
                                    const std::vector<std::int64_t>& fallback, std::size_t levels) {
    const auto found = json.find(key);
    if (found != json.end() && found->is_number()) return std::vector(levels, reader.integer(key, {}, {1, 128}));
    return reader.integers(key, fallback, {1, 128});
}

void check_channels(const ConfigReader& reader, const std::vector<std::int64_t>& channels) {
    if (channels.empty() || channels.size() > kMaxLevels)
        reader.refuse("block_out_channels", "it must have 1 to 8 entries");
    for (const auto width : channels)
        if (width % kNormGroups != 0) reader.refuse("block_out_channels", "each entry must be a multiple of 32");
}

std::vector<UNetLevel> read_levels(const Json& json, const ConfigReader& reader) {
    const auto channels = reader.integers("block_out_channels", kPublishedChannels, {kNormGroups, 16384});
    check_channels(reader, channels);
    const auto count = channels.size();
    const auto heads = per_level(json, reader, "num_attention_heads", {5, 10, 20, 20}, count);
    const auto down =
        attention_of(json, reader, "down_block_types", "DownBlockSpatioTemporal", {true, true, true, false});
    const auto up = attention_of(json, reader, "up_block_types", "UpBlockSpatioTemporal", {false, true, true, true});
    for (const auto& [key, size] : {std::pair{"num_attention_heads", heads.size()},
                                    std::pair{"down_block_types", down.size()}, std::pair{"up_block_types", up.size()}})
        if (size != count)
            reader.refuse(key, "it must have one entry for each of the " + std::to_string(count) + " levels");
    std::vector<UNetLevel> levels;
    for (std::size_t i = 0; i < count; ++i) {
        if (channels[i] % heads[i] != 0)
            reader.refuse("num_attention_heads", "the number of heads of each level must be a divisor of its channels");
        levels.push_back({channels[i], heads[i], down[i], up[count - 1 - i]});
    }
    return levels;
}

}  // namespace

UNetConfig read_unet_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    const Json object = json.is_null() ? Json::object() : json;
    UNetConfig config;
    config.levels = read_levels(object, reader);
    config.in_channels = reader.integer("in_channels", config.in_channels, {2, 512});
    config.out_channels = reader.integer("out_channels", config.out_channels, {1, 256});
    config.layers_per_block = reader.integer("layers_per_block", config.layers_per_block, {1, 16});
    config.transformer_layers_per_block =
        reader.integer("transformer_layers_per_block", config.transformer_layers_per_block, {1, 16});
    config.cross_attention_dim = reader.integer("cross_attention_dim", config.cross_attention_dim, {1, 16384});
    config.addition_time_embed_dim =
        reader.integer("addition_time_embed_dim", config.addition_time_embed_dim, {2, 8192});
    config.num_frames = reader.integer("num_frames", config.num_frames, {1, 1024});
    const auto projected = kAddedTimeIds * config.addition_time_embed_dim;
    if (reader.integer("projection_class_embeddings_input_dim", projected, {1, 65536}) != projected)
        reader.refuse("projection_class_embeddings_input_dim", "it must be three times addition_time_embed_dim");
    if (config.in_channels != 2 * config.out_channels)
        reader.refuse("in_channels", "it must be twice out_channels, for the latents and those of the image");
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    VaeConfig config;
    config.block_out_channels = reader.integers("block_out_channels", config.block_out_channels, {kNormGroups, 16384});
    check_channels(reader, config.block_out_channels);
    config.layers_per_block = reader.integer("layers_per_block", config.layers_per_block, {1, 2});
    config.latent_channels = reader.integer("latent_channels", config.latent_channels, {1, 256});
    config.scaling_factor = reader.number("scaling_factor", config.scaling_factor, {1e-6, 1e6});
    config.force_upcast = reader.flag("force_upcast", config.force_upcast);
    for (const auto* key : {"in_channels", "out_channels"})
        if (reader.integer(key, 3, {1, 4096}) != 3) reader.refuse(key, "it must be 3, the number of color channels");
    return config;
}

}  // namespace kinescope::svd
