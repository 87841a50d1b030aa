#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::svd {

/// The class names in model_index.json.
inline constexpr auto kUNetClass = "UNetSpatioTemporalConditionModel";
inline constexpr auto kVaeClass = "AutoencoderKLTemporalDecoder";

/// A level (resolution) of the UNet.
struct UNetLevel {
    std::int64_t channels = 0;  ///< a multiple of 32
    std::int64_t num_attention_heads = 1;
    bool down_attention = true;
    bool up_attention = true;
};

/// The options in config.json of UNetSpatioTemporalConditionModel. The defaults are the published values.
struct UNetConfig {
    std::int64_t in_channels = 8;  ///< latents and image latents
    std::int64_t out_channels = 4;
    std::vector<UNetLevel> levels = {{320, 5}, {640, 10}, {1280, 20}, {1280, 20, false, false}};
    std::int64_t layers_per_block = 2;
    std::int64_t transformer_layers_per_block = 1;
    std::int64_t cross_attention_dim = 1024;
    std::int64_t addition_time_embed_dim = 256;  ///< sinusoids per added time id
    std::int64_t num_frames = 25;                ///< length of the training videos

    std::int64_t num_levels() const { return static_cast<std::int64_t>(levels.size()); }
    std::int64_t time_embed_dim() const { return 4 * levels.front().channels; }
};

/// The options in config.json of AutoencoderKLTemporalDecoder. The defaults are the published values.
struct VaeConfig {
    std::vector<std::int64_t> block_out_channels = {128, 256, 512, 512};  ///< multiples of 32
    std::int64_t layers_per_block = 2;
    std::int64_t latent_channels = 4;
    double scaling_factor = 0.18215;
    bool force_upcast = true;  ///< the encoder exceeds the float16 range

    std::int64_t scale_factor() const { return std::int64_t{1} << (block_out_channels.size() - 1); }
};

/// Number of added time ids: frame rate, motion bucket, noise augmentation.
inline constexpr std::int64_t kAddedTimeIds = 3;
/// Number of groups in every group norm of the family.
inline constexpr std::int64_t kNormGroups = 32;
/// Number of color channels of an image.
inline constexpr std::int64_t kColors = 3;

/// Read the configs. Throw Error(bad_config), which names the file and key of an invalid value.
UNetConfig read_unet_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::svd
