#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::cogvideox {

/// The class names in model_index.json.
inline constexpr auto kTransformerClass = "CogVideoXTransformer3DModel";
inline constexpr auto kVaeClass = "AutoencoderKLCogVideoX";

/// The position embedding that is added to the tokens, in addition to rotary positions.
enum class PositionTable {
    none,
    sin_cos,  ///< 2B: computed for the requested size
    learned,  ///< 5B image to video: stored for the native size only
};

/// The contents of config.json for CogVideoXTransformer3DModel. The defaults are those of CogVideoX-2B.
struct TransformerConfig {
    std::int64_t num_attention_heads = 30;
    std::int64_t attention_head_dim = 64;
    std::int64_t in_channels = 16;  ///< twice out_channels for image to video
    std::int64_t out_channels = 16;
    std::int64_t time_embed_dim = 512;
    std::int64_t ofs_embed_dim = 0;  ///< 0: no `ofs` embedding, which only 1.5 image to video has
    std::int64_t text_embed_dim = 4096;
    std::int64_t num_layers = 30;
    std::int64_t patch_size = 2;
    std::int64_t patch_size_t = 0;    ///< frames per patch: 0 for a single frame (1.0), 2 (1.5)
    bool patch_bias = true;           ///< 1.0 only; the projection of 1.5 always has a bias
    std::int64_t sample_height = 60;  ///< native height in latents
    std::int64_t sample_width = 90;
    std::int64_t sample_frames = 49;  ///< native number of frames
    std::int64_t max_text_seq_length = 226;
    PositionTable position_table = PositionTable::sin_cos;
    bool rotary = false;
    double spatial_interpolation_scale = 1.875;  ///< divisor of sin-cos positions
    double temporal_interpolation_scale = 1.0;
    double norm_eps = 1e-5;

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
    /// Returns the number of latent frames per patch.
    std::int64_t patch_frames() const { return patch_size_t > 0 ? patch_size_t : 1; }
    std::int64_t patch_volume() const { return patch_frames() * patch_size * patch_size; }
    bool takes_image() const { return in_channels != out_channels; }
    /// Returns the number of tokens along (frames, rows, columns) at the native size.
    TokenGrid native_grid() const;
};

/// The contents of config.json for AutoencoderKLCogVideoX. All published VAEs compress time by 4.
struct VaeConfig {
    std::vector<std::int64_t> block_out_channels = {128, 256, 256, 512};
    std::int64_t latent_channels = 16;
    std::int64_t layers_per_block = 3;
    std::int64_t norm_num_groups = 32;
    double norm_eps = 1e-6;
    double scaling_factor = 1.15258426;
    bool invert_scale_latents = false;  ///< 1.5: image latents are divided by the factor
    std::int64_t sample_height = 480;   ///< px; a tile has half this height
    std::int64_t sample_width = 720;

    std::int64_t scale_factor_spatial() const { return std::int64_t{1} << (block_out_channels.size() - 1); }
};

/// Number of frames per latent frame, except for the first latent frame.
inline constexpr std::int64_t kTemporalCompression = 4;
/// Number of VAE levels that compress time by 2: the widest two of the decoder, the narrowest two of the encoder.
inline constexpr std::size_t kTemporalLevels = 2;

/// Read config.json. Throw Error(bad_config), which names the file and key of an invalid value, and Error(unsupported)
/// for an unpublished variant.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::cogvideox
