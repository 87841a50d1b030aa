#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/json.h"

namespace kinescope::ltx {

/// The class names in model_index.json.
inline constexpr auto kTransformerClass = "LTXVideoTransformer3DModel";
inline constexpr auto kVaeClass = "AutoencoderKLLTXVideo";

/// The options in config.json of LTXVideoTransformer3DModel. The defaults are those of LTX-Video 2B. A token is one
/// position of one latent frame.
struct TransformerConfig {
    std::int64_t num_attention_heads = 32;
    std::int64_t attention_head_dim = 64;
    std::int64_t in_channels = 128;  ///< of the latents, in and out
    std::int64_t num_layers = 28;
    std::int64_t caption_channels = 4096;  ///< width of the text encoder
    double norm_eps = 1e-6;

    std::int64_t dim() const { return num_attention_heads * attention_head_dim; }
};

/// How a level of the encoder shrinks its frames.
enum class Downsampling {
    none,
    strided,  ///< a convolution of stride 2 along every axis (0.9.0, 0.9.1)
    spatial,  ///< this and the next two move pixels into channels, with a shortcut (0.9.5)
    temporal,
    spatiotemporal,
};

/// The factors by which a level scales (frames, rows, columns).
struct Strides {
    std::int64_t time = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;

    std::int64_t volume() const { return time * rows * columns; }
};
Strides strides_of(Downsampling downsampling);

/// A level of the encoder: residual blocks, a downsampler and, if the width changes and the downsampler has no
/// shortcut, a residual block that changes the width.
struct EncoderLevel {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t num_layers = 0;
    Downsampling downsampling = Downsampling::none;
};

enum class Shortcut { none, present };
enum class NoiseInjection { none, present };

/// How a level of the decoder doubles its frames along every axis.
struct Upsampling {
    std::int64_t factor = 1;  ///< by which the channels shrink
    Shortcut shortcut = Shortcut::none;
};

/// A level of the decoder: a residual block if the width changes, an upsampler, and residual blocks.
struct DecoderLevel {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t num_layers = 0;
    bool upsamples = false;
    Upsampling upsampling = {};
    NoiseInjection noise = NoiseInjection::none;
};

/// The options in config.json of AutoencoderKLLTXVideo, with its lists converted to levels in the order of computation.
struct VaeConfig {
    std::int64_t latent_channels = 128;
    std::int64_t patch_size = 4;
    std::int64_t encoder_width = 128;  ///< of the first level
    std::vector<EncoderLevel> encoder_levels;
    std::int64_t encoder_mid_layers = 4;
    std::int64_t decoder_width = 512;  ///< of the innermost level
    std::int64_t decoder_mid_layers = 4;
    NoiseInjection decoder_mid_noise = NoiseInjection::none;
    std::vector<DecoderLevel> decoder_levels;
    double resnet_eps = 1e-6;
    double scaling_factor = 1.0;
    bool timestep_conditioning = false;  ///< the decoder removes noise of a given level
    std::int64_t spatial_compression = 32;
    std::int64_t temporal_compression = 8;

    std::int64_t patch_channels() const { return 3 * patch_size * patch_size; }
};

/// How the noise levels of a run are spaced, from scheduler_config.json.
enum class SigmaSpacing {
    shifted,           ///< evenly, then shifted by the number of tokens: LTXPipeline, LTXImageToVideoPipeline
    linear_quadratic,  ///< slowly at first, then faster: LTXConditionPipeline
};

struct ScheduleConfig {
    SigmaSpacing spacing = SigmaSpacing::shifted;
    double base_shift = 0.95;
    double max_shift = 2.05;
    double base_seq_len = 1024;
    double max_seq_len = 4096;
    double shift_terminal = 0.1;  ///< the last sigma; 0: not changed
};

/// Read the configs. Throw Error(bad_config), which names the file and key of an invalid value, and Error(unsupported)
/// for variants that were never published.
TransformerConfig read_transformer_config(const Json& json, const std::filesystem::path& file);
VaeConfig read_vae_config(const Json& json, const std::filesystem::path& file);
ScheduleConfig read_schedule_config(const Json& json, const std::filesystem::path& file);

}  // namespace kinescope::ltx
