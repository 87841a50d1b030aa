#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::cogvideox {

/// How a token is told where it is, besides rotary positions.
enum class PositionTable {
    none,
    sin_cos,  ///< 2B: made for the size at hand
    learned,  ///< 5B image to video: stored, for the native size only
};

/// config.json of CogVideoXTransformer3DModel. The defaults are CogVideoX-2B.
struct TransformerConfig {
    std::int64_t num_attention_heads = 30;
    std::int64_t attention_head_dim = 64;
    std::int64_t in_channels = 16;  ///< twice out_channels where an image is put beside the latents
    std::int64_t out_channels = 16;
    std::int64_t time_embed_dim = 512;
    std::int64_t ofs_embed_dim = 0;  ///< 0: the model has no `ofs` (1.5 image to video has)
    std::int64_t text_embed_dim = 4096;
    std::int64_t num_layers = 30;
    std::int64_t patch_size = 2;
    std::int64_t patch_size_t = 0;    ///< 0: patches of one frame (1.0); 2: of two (1.5)
    bool patch_bias = true;           ///< of 1.0; the projection of 1.5 always has one
    std::int64_t sample_height = 60;  ///< native size in latents
    std::int64_t sample_width = 90;
    std::int64_t sample_frames = 49;  ///< native number of frames
    std::int64_t max_text_seq_length = 226;
    PositionTable position_table = PositionTable::sin_cos;
    bool rotary = false;
    double spatial_interpolation_scale = 1.875;  ///< sin-cos positions are divided by it
    double temporal_interpolation_scale = 1.0;
    double norm_eps = 1e-5;

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
    /// Latent frames of a patch.
    std::int64_t patch_frames() const { return patch_size_t > 0 ? patch_size_t : 1; }
    std::int64_t patch_volume() const { return patch_frames() * patch_size * patch_size; }
    bool takes_image() const { return in_channels != out_channels; }
    /// Tokens along (frames, rows, columns) of the native size.
    TokenGrid native_grid() const;
};

/// config.json of AutoencoderKLCogVideoX. Time is compressed by 4 in every published one.
struct VaeConfig {
    std::vector<std::int64_t> block_out_channels = {128, 256, 256, 512};
    std::int64_t latent_channels = 16;
    std::int64_t layers_per_block = 3;
    std::int64_t norm_num_groups = 32;
    double norm_eps = 1e-6;
    double scaling_factor = 1.15258426;
    bool invert_scale_latents = false;  ///< image latents are divided by the factor in place of multiplied (1.5)
    std::int64_t sample_height = 480;   ///< px: tiles are half of it
    std::int64_t sample_width = 720;

    std::int64_t scale_factor_spatial() const { return std::int64_t{1} << (block_out_channels.size() - 1); }
};

/// Frames that a latent frame stands for, except for the first one.
inline constexpr std::int64_t kTemporalCompression = 4;
/// Levels of the VAE that compress time by 2 each: the widest two of the decoder, the narrowest two of the encoder.
inline constexpr std::size_t kTemporalLevels = 2;

/// Both throw Error(bad_config) naming file and key, and Error(unsupported) for variants that were never published.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::cogvideox
