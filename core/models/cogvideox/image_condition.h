#pragma once

#include "core/device/rng.h"
#include "core/models/cogvideox/config.h"
#include "core/models/diffusion_model.h"
#include "core/models/discovery/model_files.h"
#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// The input for the condition of an image-to-video model.
struct ImageConditionInput {
    const ModelFiles& files;
    const Tensor& image;                             ///< uint8 [H, W, 3]
    const std::vector<std::int64_t>& latents_shape;  ///< [1, C, F, H, W]
    const Precision& precision;                      ///< VAE precision
};

/// Sets the condition: a scaled sample of the image's latents, followed by frames of zeros. Adds "image_pixels" and
/// "posterior_noise" to the details. Draws noise once, before the initial latents are drawn. The encoder is loaded only
/// for this call.
void add_image_condition(const ImageConditionInput& input, NoiseSource& noise, const ForwardContext& context,
                         Conditioning& conditioning);

/// Input for the start of a run that changes a video.
struct VideoStartInput {
    const EncodeInput& encode;
    const std::vector<std::int64_t>& latents_shape;  ///< [1, C, F, H, W]
};

/// Returns a scaled sample of the latents of the input video, as CogVideoXVideoToVideoPipeline: float32 [1, C, F, H,
/// W]. Version 1.5 needs an even number of latent frames; the first one is repeated if necessary. Draws noise once,
/// before the initial latents. The encoder is loaded only for this call.
Tensor encode_video(const VideoStartInput& input, NoiseSource& noise, const ForwardContext& context);

/// The factor applied to image latents. Version 1.5 divides by the scaling factor; others multiply.
double image_latents_scale(const VaeConfig& config);

}  // namespace kinescope::cogvideox
