#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::stepvideo {

/// transformer/config.json of StepVideoModel. The defaults are the published model's.
struct TransformerConfig {
    std::int64_t num_layers = 48;
    std::int64_t num_attention_heads = 48;
    std::int64_t attention_head_dim = 128;
    std::int64_t in_channels = 64;
    std::int64_t out_channels = 64;
    /// Widths of Step-LLM's states and of CLIP's.
    std::array<std::int64_t, 2> caption_channels = {6144, 1024};
    /// Channels of a head that frame, row and column turn; half, a quarter and a quarter unless the config says more.
    std::array<std::int64_t, 3> rope_channel_split = {64, 32, 32};

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
};

/// The VAE has no config in the published folder: these are its values. A vae/config.json, or "config" in the weights'
/// metadata, may say others.
struct VaeConfig {
    std::int64_t ch = 128;
    std::array<std::int64_t, 4> ch_mult = {1, 2, 4, 4};
    std::int64_t num_res_blocks = 2;
    std::int64_t z_channels = 64;
    std::int64_t norm_num_groups = 32;

    std::int64_t width(std::size_t level) const { return ch * ch_mult[level]; }
    std::int64_t widest() const { return width(ch_mult.size() - 1); }
    /// Channels of a latent between the convolution and the folding of pixels.
    std::int64_t folded() const { return 32 * z_channels; }
};

inline constexpr std::int64_t kScaleFactorSpatial = 16;
/// A chunk of 17 frames is 3 latent frames, a picture alone is 1.
inline constexpr std::int64_t kChunkFrames = 17;
inline constexpr std::int64_t kChunkLatents = 3;

/// All throw Error(bad_config) naming file and key, and Error(unsupported) for TI2V and for version 1 of the VAE.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::stepvideo
