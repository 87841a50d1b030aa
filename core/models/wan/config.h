#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/json.h"

namespace kinescope::wan {

/// The class names in model_index.json.
inline constexpr auto kTransformerClass = "WanTransformer3DModel";
inline constexpr auto kVaeClass = "AutoencoderKLWan";

/// The options in config.json of WanTransformer3DModel.
struct TransformerConfig {
    std::array<std::int64_t, 3> patch_size = {1, 2, 2};  ///< frames, rows, columns
    std::int64_t num_attention_heads = 40;
    std::int64_t attention_head_dim = 128;
    std::int64_t in_channels = 16;
    std::int64_t out_channels = 16;
    std::int64_t text_dim = 4096;
    std::int64_t freq_dim = 256;
    std::int64_t ffn_dim = 13824;
    std::int64_t num_layers = 40;
    std::int64_t rope_max_seq_len = 1024;
    double eps = 1e-6;
    std::int64_t image_dim = 0;          ///< width of the image encoder's states; 0: no cross-attention to images
    std::int64_t pos_embed_seq_len = 0;  ///< number of learned image-token positions; 0: none

    std::int64_t vace_in_channels = 0;      ///< channels of the control condition (VACE); 0: none
    std::vector<std::int64_t> vace_layers;  ///< main blocks after which a hint is added, ascending; the first is 0

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
    bool has_image_branch() const { return image_dim > 0; }
    /// Returns the number of input channels for the mask and the image latents.
    std::int64_t condition_channels() const { return in_channels - out_channels; }
    bool has_vace() const { return !vace_layers.empty(); }
    std::int64_t patch_volume() const { return patch_size[0] * patch_size[1] * patch_size[2]; }
};

/// The options in config.json of AutoencoderKLWan.
struct VaeConfig {
    std::int64_t base_dim = 96;  ///< encoder width
    std::int64_t decoder_base_dim = 96;
    std::int64_t z_dim = 16;
    std::vector<std::int64_t> dim_mult = {1, 2, 4, 4};
    std::int64_t num_res_blocks = 2;
    std::vector<bool> temporal_downsample = {false, true, true};
    bool is_residual = false;     ///< each level has a weightless shortcut (Wan 2.2 5B)
    std::int64_t patch_size = 1;  ///< side of the pixel patches folded into channels
    std::vector<double> latents_mean;
    std::vector<double> latents_std;

    std::int64_t scale_factor_spatial() const;
    std::int64_t scale_factor_temporal() const;
    std::int64_t patch_channels() const { return 3 * patch_size * patch_size; }
    /// Returns true if a level changes the number of frames. The last level never does.
    bool changes_time(std::size_t level) const {
        return level < temporal_downsample.size() && temporal_downsample[level];
    }
    bool changes_space(std::size_t level) const { return level + 1 < dim_mult.size(); }
    /// Returns true for the latents of Wan 2.1 or Wan 2.2 5B. Models with other VAEs have other statistics.
    bool has_published_latents() const;
};

/// The options of the pipeline in model_index.json.
struct PipelineConfig {
    /// The fraction of the timestep range above which "transformer" runs, and below which "transformer_2" runs. Unset
    /// for a single denoiser.
    std::optional<double> boundary_ratio;
    bool expand_timesteps = false;  ///< the image replaces the first latent frame, at timestep 0 (Wan 2.2 5B)
};

/// Read the configs. Throw Error(bad_config), which names the file and key of an invalid value, and Error(unsupported)
/// for an unpublished variant.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);
PipelineConfig read_pipeline_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::wan
