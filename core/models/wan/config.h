#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::wan {

/// config.json of WanTransformer3DModel.
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

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
    std::int64_t patch_volume() const { return patch_size[0] * patch_size[1] * patch_size[2]; }
};

/// config.json of AutoencoderKLWan.
struct VaeConfig {
    std::int64_t base_dim = 96;  ///< of the decoder
    std::int64_t z_dim = 16;
    std::vector<std::int64_t> dim_mult = {1, 2, 4, 4};
    std::int64_t num_res_blocks = 2;
    std::vector<bool> temporal_downsample = {false, true, true};
    std::int64_t out_channels = 3;
    std::int64_t patch_size = 1;  ///< pixels of a side that the last convolution writes as channels
    std::vector<double> latents_mean;
    std::vector<double> latents_std;

    std::int64_t scale_factor_spatial() const;
    std::int64_t scale_factor_temporal() const;
};

/// Both throw Error(bad_config) naming file and key, and Error(unsupported) for variants of later issues.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::wan
