#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::stepvideo {

/// The class name in model_index.json.
inline constexpr auto kTransformerClass = "StepVideoModel";

/// The options in transformer/config.json of StepVideoModel. The defaults are the published values.
struct TransformerConfig {
    std::int64_t num_layers = 48;
    std::int64_t num_attention_heads = 48;
    std::int64_t attention_head_dim = 128;
    std::int64_t in_channels = 64;
    std::int64_t out_channels = 64;
    /// Widths of the Step-LLM and CLIP states.
    std::array<std::int64_t, 2> caption_channels = {6144, 1024};
    /// Numbers of head channels rotated by frame, row and column: by default, half, a quarter and a quarter of the
    /// head.
    std::array<std::int64_t, 3> rope_channel_split = {64, 32, 32};

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
};

/// The options of the VAE. The defaults are the published values, because the published folder has no VAE config. A
/// vae/config.json or "config" in the weights' metadata overrides them.
struct VaeConfig {
    std::int64_t ch = 128;
    std::array<std::int64_t, 4> ch_mult = {1, 2, 4, 4};
    std::int64_t num_res_blocks = 2;
    std::int64_t z_channels = 64;
    std::int64_t norm_num_groups = 32;

    std::int64_t width(std::size_t level) const { return ch * ch_mult[level]; }
    std::int64_t widest() const { return width(ch_mult.size() - 1); }
    /// Returns the width of the decoder after conv_in, and of the encoder before conv_out.
    std::int64_t folded() const { return 32 * z_channels; }
};

inline constexpr std::int64_t kScaleFactorSpatial = 16;
/// Numbers of frames and latent frames of a chunk. A single image has 1 frame and 1 latent frame.
inline constexpr std::int64_t kChunkFrames = 17;
inline constexpr std::int64_t kChunkLatents = 3;

/// Read the configs. Throw Error(bad_config), which names the file and key of an invalid value, and Error(unsupported)
/// for TI2V and version 1 of the VAE.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::stepvideo
