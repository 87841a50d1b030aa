#include "core/models/ltx/config.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/api/error.h"
#include "core/base/config_reader.h"

namespace kinescope::ltx {

namespace {

[[noreturn]] void refuse_variant(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::unsupported, file.string() + ": " + what + " is not supported",
                "Supported: LTX-Video 0.9.0 to 0.9.8, 2B and 13B.");
}

void require_text(const ConfigReader& reader, const std::filesystem::path& file, const char* key, const char* wanted) {
    if (const auto value = reader.text(key, wanted); value != wanted)
        refuse_variant(file, std::string(key) + " = " + value);
}

void check_transformer_options(const ConfigReader& reader, const std::filesystem::path& file) {
    require_text(reader, file, "activation_fn", "gelu-approximate");
    require_text(reader, file, "qk_norm", "rms_norm_across_heads");
    for (const auto* key : {"attention_bias", "attention_out_bias"})
        if (!reader.flag(key, true)) refuse_variant(file, std::string(key) + " = false");
    if (reader.flag("norm_elementwise_affine", false)) refuse_variant(file, "norm_elementwise_affine");
    for (const auto* key : {"patch_size", "patch_size_t"})
        if (reader.integer(key, 1, {1, 1024}) != 1) refuse_variant(file, key);
}

/// Reads the lists in a VAE's config, each with one entry per level.
struct VaeLists {
    const ConfigReader& reader;

    std::vector<std::int64_t> integers(const char* key, const std::vector<std::int64_t>& fallback, std::size_t length,
                                       ConfigReader::Range<std::int64_t> range) const {
        auto values = reader.integers(key, fallback, range);
        if (values.size() != length) reader.refuse(key, "it must have " + std::to_string(length) + " entries");
        return values;
    }
    std::vector<bool> flags(const char* key, const std::vector<bool>& fallback, std::size_t length) const {
        auto values = reader.flags(key, fallback);
        if (values.size() != length) reader.refuse(key, "it must have " + std::to_string(length) + " entries");
        return values;
    }
};

constexpr ConfigReader::Range<std::int64_t> kWidths = {1, 8192};
constexpr ConfigReader::Range<std::int64_t> kLayers = {1, 64};
constexpr std::size_t kMostLevels = 8;

std::vector<std::string> text_list(const Json& json, const std::string& key, const std::vector<std::string>& fallback) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return fallback;
    std::vector<std::string> texts;
    for (const auto& entry : json[key]) texts.push_back(entry.is_string() ? entry.get<std::string>() : "");
    return texts;
}

Downsampling downsampling_of(const ConfigReader& reader, const std::string& type) {
    constexpr std::array<std::pair<const char*, Downsampling>, 4> kTypes = {
        {{"conv", Downsampling::strided},
         {"spatial", Downsampling::spatial},
         {"temporal", Downsampling::temporal},
         {"spatiotemporal", Downsampling::spatiotemporal}}};
    for (const auto& [name, downsampling] : kTypes)
        if (type == name) return downsampling;
    reader.refuse("downsample_type", "each entry must be conv, spatial, temporal or spatiotemporal");
}

/// Reads the encoder's levels. The config of 0.9.5 has one more width than levels.
void read_encoder(const Json& json, const ConfigReader& reader, VaeConfig& config) {
    const VaeLists lists{reader};
    const auto types = text_list(json, "down_block_types", {});
    const bool is_095 = !types.empty() && types.front() == "LTXVideo095DownBlock3D";
    const auto widths = reader.integers("block_out_channels", {128, 256, 512, 512}, kWidths);
    const auto levels = is_095 ? widths.size() - 1 : widths.size();
    if (widths.empty() || levels < 1 || levels > kMostLevels)
        reader.refuse("block_out_channels", "it must have 1 to 8 levels");
    const auto layers = lists.integers("layers_per_block", {4, 3, 3, 3, 4}, levels + 1, kLayers);
    const auto scaling = lists.flags("spatio_temporal_scaling", {true, true, true, false}, levels);
    const auto kinds = text_list(json, "downsample_type", std::vector<std::string>(levels, "conv"));
    if (kinds.size() != levels) reader.refuse("downsample_type", "it must have " + std::to_string(levels) + " entries");
    config.encoder_width = widths.front();
    for (std::size_t i = 0; i < levels; ++i)
        config.encoder_levels.push_back(
            {.in = widths[i],
             .out = i + 1 < widths.size() ? widths[i + 1] : widths[i],
             .num_layers = layers[i],
             .downsampling = scaling[i] ? downsampling_of(reader, kinds[i]) : Downsampling::none});
    config.encoder_mid_layers = layers.back();
}

/// Reads the decoder's levels, which the file lists from the outermost to the innermost.
void read_decoder(const ConfigReader& reader, VaeConfig& config) {
    const VaeLists lists{reader};
    auto widths = reader.integers("decoder_block_out_channels", {128, 256, 512, 512}, kWidths);
    const auto levels = widths.size();
    if (levels < 1 || levels > kMostLevels) reader.refuse("decoder_block_out_channels", "it must have 1 to 8 entries");
    auto layers = lists.integers("decoder_layers_per_block", {4, 3, 3, 3, 4}, levels + 1, kLayers);
    auto scaling = lists.flags("decoder_spatio_temporal_scaling", {true, true, true, false}, levels);
    auto noise = lists.flags("decoder_inject_noise", std::vector<bool>(levels + 1, false), levels + 1);
    auto residual = lists.flags("upsample_residual", std::vector<bool>(levels, false), levels);
    auto factors = lists.integers("upsample_factor", std::vector<std::int64_t>(levels, 1), levels, {1, 8});
    std::ranges::reverse(widths);
    std::ranges::reverse(layers);
    std::reverse(scaling.begin(), scaling.end());
    std::reverse(noise.begin(), noise.end());
    std::reverse(residual.begin(), residual.end());
    std::ranges::reverse(factors);
    const auto injection = [&](std::size_t i) { return noise[i] ? NoiseInjection::present : NoiseInjection::none; };
    config.decoder_width = widths.front();
    config.decoder_mid_layers = layers.front();
    config.decoder_mid_noise = injection(0);
    auto before = widths.front();
    for (std::size_t i = 0; i < levels; ++i) {
        if (before % factors[i] != 0 || widths[i] % factors[i] != 0 || 8 % factors[i] != 0)
            reader.refuse("upsample_factor", "each entry must be a divisor of 8 and of the adjacent widths");
        config.decoder_levels.push_back(
            {.in = before / factors[i],
             .out = widths[i] / factors[i],
             .num_layers = layers[i + 1],
             .upsamples = scaling[i],
             .upsampling = {.factor = factors[i], .shortcut = residual[i] ? Shortcut::present : Shortcut::none},
             .noise = injection(i + 1)});
        before = widths[i] / factors[i];
    }
}

/// Checks that the widths of consecutive levels match.
void check_decoder(const ConfigReader& reader, const VaeConfig& config) {
    auto width = config.decoder_width;
    for (const auto& level : config.decoder_levels) {
        const auto given = level.in == level.out ? width : level.out;
        if (level.upsamples && given != level.out * level.upsampling.factor)
            reader.refuse("decoder_block_out_channels", "the widths must match upsample_factor");
        if (!level.upsamples && level.in != width)
            reader.refuse("decoder_block_out_channels", "the widths must match those of the previous level");
        if (level.in != level.out && config.timestep_conditioning)
            reader.refuse("timestep_conditioning", "it must be false if a block of the decoder changes the width");
        if (level.upsampling.shortcut == Shortcut::present && level.upsamples && given % 8 != 0)
            reader.refuse("decoder_block_out_channels", "the widths before an upsampler must be multiples of 8");
        width = level.out;
    }
}

void check_encoder(const ConfigReader& reader, const VaeConfig& config) {
    for (const auto& level : config.encoder_levels) {
        const bool moves_places =
            level.downsampling != Downsampling::none && level.downsampling != Downsampling::strided;
        const auto volume = strides_of(level.downsampling).volume();
        if (moves_places && (level.out % volume != 0 || level.in * volume % level.out != 0))
            reader.refuse("block_out_channels", "the widths must match downsample_type");
    }
}

void read_compression(const ConfigReader& reader, VaeConfig& config) {
    std::int64_t space = config.patch_size, time = 1;
    for (const auto& level : config.encoder_levels) {
        const auto strides = strides_of(level.downsampling);
        space *= strides.rows, time *= strides.time;
    }
    std::int64_t growth = 1;
    for (const auto& level : config.decoder_levels) growth *= level.upsamples ? 2 : 1;
    if (growth != time || growth * config.patch_size != space)
        reader.refuse("spatio_temporal_scaling",
                      "the encoder must shrink a video by the factors by which the decoder enlarges it");
    config.spatial_compression = space;
    config.temporal_compression = time;
}

}  // namespace

Strides strides_of(Downsampling downsampling) {
    switch (downsampling) {
        case Downsampling::none:
            return {};
        case Downsampling::spatial:
            return {.time = 1, .rows = 2, .columns = 2};
        case Downsampling::temporal:
            return {.time = 2, .rows = 1, .columns = 1};
        case Downsampling::strided:
        case Downsampling::spatiotemporal:
            return {.time = 2, .rows = 2, .columns = 2};
    }
    return {};
}

TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    check_transformer_options(reader, file);
    TransformerConfig config;
    config.num_attention_heads = reader.integer("num_attention_heads", config.num_attention_heads, {1, 256});
    config.attention_head_dim = reader.integer("attention_head_dim", config.attention_head_dim, {1, 512});
    config.in_channels = reader.integer("in_channels", config.in_channels, {1, 1024});
    config.num_layers = reader.integer("num_layers", config.num_layers, {1, 200});
    config.caption_channels = reader.integer("caption_channels", config.caption_channels, {1, 65536});
    config.norm_eps = reader.number("norm_eps", config.norm_eps, {0.0, 1.0});
    if (reader.integer("out_channels", config.in_channels, {1, 1024}) != config.in_channels)
        reader.refuse("out_channels", "it must be equal to in_channels");
    if (reader.integer("cross_attention_dim", config.dim(), {1, 131072}) != config.dim())
        reader.refuse("cross_attention_dim", "it must be num_attention_heads * attention_head_dim");
    if (config.dim() % 2 != 0 || config.dim() < 6)
        reader.refuse("attention_head_dim", "num_attention_heads * attention_head_dim must be even and at least 6");
    return config;
}

VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    for (const auto* key : {"in_channels", "out_channels"})
        if (reader.integer(key, 3, {1, 4096}) != 3) reader.refuse(key, "it must be 3");
    if (reader.integer("patch_size_t", 1, {1, 64}) != 1) refuse_variant(file, "patch_size_t");
    if (!reader.flag("encoder_causal", true)) refuse_variant(file, "encoder_causal = false");
    if (reader.flag("decoder_causal", false)) refuse_variant(file, "decoder_causal");
    VaeConfig config;
    config.latent_channels = reader.integer("latent_channels", config.latent_channels, {1, 1024});
    config.patch_size = reader.integer("patch_size", config.patch_size, {1, 16});
    config.resnet_eps = reader.number("resnet_norm_eps", config.resnet_eps, {0.0, 1.0});
    config.scaling_factor = reader.number("scaling_factor", config.scaling_factor, {1e-6, 1e6});
    config.timestep_conditioning = reader.flag("timestep_conditioning", false);
    read_encoder(json, reader, config);
    read_decoder(reader, config);
    check_encoder(reader, config);
    check_decoder(reader, config);
    read_compression(reader, config);
    return config;
}

ScheduleConfig read_schedule_config(const Json& json, const std::filesystem::path& file) {
    const ConfigReader reader(json, file);
    require_text(reader, file, "_class_name", "FlowMatchEulerDiscreteScheduler");
    require_text(reader, file, "time_shift_type", "exponential");
    for (const auto* key :
         {"use_karras_sigmas", "use_exponential_sigmas", "use_beta_sigmas", "invert_sigmas", "stochastic_sampling"})
        if (reader.flag(key, false)) refuse_variant(file, key);
    if (reader.number("shift", 1.0, {1e-3, 1e3}) != 1.0) refuse_variant(file, "shift");
    if (reader.integer("num_train_timesteps", 1000, {1, 1'000'000}) != 1000)
        refuse_variant(file, "num_train_timesteps");
    ScheduleConfig config;
    config.spacing =
        reader.flag("use_dynamic_shifting", false) ? SigmaSpacing::shifted : SigmaSpacing::linear_quadratic;
    config.base_shift = reader.number("base_shift", config.base_shift, {-100.0, 100.0});
    config.max_shift = reader.number("max_shift", config.max_shift, {-100.0, 100.0});
    config.base_seq_len = reader.number("base_image_seq_len", config.base_seq_len, {1.0, 1e9});
    config.max_seq_len = reader.number("max_image_seq_len", config.max_seq_len, {1.0, 1e9});
    config.shift_terminal = reader.number("shift_terminal", 0.0, {0.0, 0.999});
    if (config.base_seq_len == config.max_seq_len)
        reader.refuse("max_image_seq_len", "it must differ from base_image_seq_len");
    return config;
}

}  // namespace kinescope::ltx
