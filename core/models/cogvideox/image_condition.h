#pragma once

#include "core/device/rng.h"
#include "core/models/cogvideox/config.h"
#include "core/models/diffusion_model.h"
#include "core/models/discovery/model_files.h"

namespace kinescope::cogvideox {

/// Input for the condition of an image-to-video model.
struct ImageConditionInput {
    const ModelFiles& files;
    const Tensor& image;                             ///< uint8 [H, W, 3]
    const std::vector<std::int64_t>& latents_shape;  ///< [1, C, F, H, W]
    const Precision& precision;                      ///< VAE precision
};

/// Adds the condition: a scaled sample of the image's latents, then frames of zeros. Also adds "image_pixels" and
/// "posterior_noise" to the details. Draws noise once, before the initial latents. The encoder is loaded only for this
/// call.
void add_image_condition(const ImageConditionInput& input, NoiseSource& noise, const ForwardContext& context,
                         Conditioning& conditioning);

/// The factor applied to image latents. Version 1.5 divides by the scaling factor; others multiply.
double image_latents_scale(const VaeConfig& config);

}  // namespace kinescope::cogvideox
