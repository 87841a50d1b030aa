#pragma once

#include "core/device/rng.h"
#include "core/models/cogvideox/config.h"
#include "core/models/diffusion_model.h"
#include "core/models/model_files.h"

namespace kinescope::cogvideox {

/// The first frame as the transformer of an image model takes it.
struct ImageConditionInput {
    const ModelFiles& files;
    const Tensor& image;                             ///< uint8 [H, W, 3]
    const std::vector<std::int64_t>& latents_shape;  ///< [1, C, F, H, W]
    const Precision& precision;                      ///< of the VAE
};

/// Adds the condition: a sample of the image's latents, scaled, then frames of zeros; and, for the record,
/// "image_pixels" and "posterior_noise". Draws once, before the latents are drawn. The encoder lives only inside of
/// this call.
void add_image_condition(const ImageConditionInput& input, NoiseSource& noise, const ForwardContext& context,
                         Conditioning& conditioning);

/// What the VAE's scaling does to image latents: 1.5 divides by the factor where the others multiply.
double image_latents_scale(const VaeConfig& config);

}  // namespace kinescope::cogvideox
