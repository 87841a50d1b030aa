#pragma once

#include <cstdint>
#include <vector>

#include "core/models/cogvideox/config.h"
#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// An image or a video to encode, and the shape of the run's latents.
struct ConditionInput {
    const EncodeInput& encode;
    const std::vector<std::int64_t>& latents_shape;  ///< [1, C, F, H, W]
};

/// Sets the condition: a scaled sample of the image's latents, followed by frames of zeros. Adds "image_pixels" and
/// "posterior_noise" to the details. Draws noise once, before the initial latents are drawn. The encoder is loaded only
/// for this call.
void add_image_condition(const ConditionInput& input, NoiseSource& noise, const ForwardContext& context,
                         Conditioning& conditioning);

/// Returns a scaled sample of the latents of the input video, as CogVideoXVideoToVideoPipeline: float32 [1, C, F, H,
/// W]. Version 1.5 needs an even number of latent frames; the first one is repeated if necessary. Draws noise once,
/// before the initial latents. The encoder is loaded only for this call.
Tensor encode_video(const ConditionInput& input, NoiseSource& noise, const ForwardContext& context);

/// The factor applied to image latents. Version 1.5 divides by the scaling factor; others multiply.
double image_latents_scale(const VaeConfig& config);

}  // namespace kinescope::cogvideox
