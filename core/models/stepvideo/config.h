#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::stepvideo {

/// The contents of transformer/config.json for StepVideoModel, with the published values as defaults.
struct TransformerConfig {
    std::int64_t num_layers = 48;
    std::int64_t num_attention_heads = 48;
    std::int64_t attention_head_dim = 128;
    std::int64_t in_channels = 64;
    std::int64_t out_channels = 64;
    /// Widths of the Step-LLM and CLIP states.
    std::array<std::int64_t, 2> caption_channels = {6144, 1024};
    /// Head channels rotated by frame, row and column. Default: half, a quarter and a quarter of the head.
    std::array<std::int64_t, 3> rope_channel_split = {64, 32, 32};

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
};

/// The published folder has no VAE config; these are the published values. A vae/config.json or "config" in the
/// weights' metadata overrides them.
struct VaeConfig {
    std::int64_t ch = 128;
    std::array<std::int64_t, 4> ch_mult = {1, 2, 4, 4};
    std::int64_t num_res_blocks = 2;
    std::int64_t z_channels = 64;
    std::int64_t norm_num_groups = 32;

    std::int64_t width(std::size_t level) const { return ch * ch_mult[level]; }
    std::int64_t widest() const { return width(ch_mult.size() - 1); }
    /// Width of the decoder after conv_in, and of the encoder before conv_out.
    std::int64_t folded() const { return 32 * z_channels; }
};

inline constexpr std::int64_t kScaleFactorSpatial = 16;
/// A chunk of 17 frames has 3 latent frames; a single image has 1.
inline constexpr std::int64_t kChunkFrames = 17;
inline constexpr std::int64_t kChunkLatents = 3;

/// Both throw Error(bad_config) that names file and key of an invalid value, and Error(unsupported) for TI2V and
/// version 1 of the VAE.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::stepvideo
