#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "core/base/json.h"
#include "core/device/tensor.h"
#include "core/models/pil_resize.h"

namespace kinescope {

/// The options in preprocessor_config.json of CLIPImageProcessor.
struct ClipImageConfig {
    std::int64_t shortest_edge = 224;  ///< px, after the resize
    std::int64_t crop_size = 224;      ///< px per side, at most shortest_edge
    PilFilter filter = PilFilter::bicubic;
    double rescale_factor = 1.0 / 255.0;
    std::array<double, 3> mean = {0.48145466, 0.4578275, 0.40821073};
    std::array<double, 3> std = {0.26862954, 0.26130258, 0.27577711};
};

/// Reads the config; a null `json` stands for CLIP's published values. Throws Error(bad_config), which names the key of
/// an invalid value, and Error(unsupported) if the config switches off a processing step.
ClipImageConfig read_clip_image_config(const Json& json, const std::filesystem::path& file);

/// Returns the input of the CLIP encoder, equal to CLIPImageProcessor with Pillow: resizes the shortest edge, crops the
/// center and normalizes. `image` is uint8 [H, W, 3]; the result is float32 [1, 3, crop_size, crop_size].
Tensor clip_pixels(const Tensor& image, const ClipImageConfig& config);

/// Returns (pixels - mean) / std for `pixels` float32 [B, 3, H, W] in [0, 1].
Tensor clip_normalized(const Tensor& pixels, const ClipImageConfig& config);

/// Returns the input of the VAE, equal to diffusers' VideoProcessor: a Lanczos resize to exactly this size, which may
/// change the aspect ratio. `image` is uint8 [H, W, 3]; the result is float32 [1, 3, height, width] in [-1, 1].
Tensor vae_pixels(const Tensor& image, std::int64_t height, std::int64_t width);

}  // namespace kinescope
