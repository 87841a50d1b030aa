#pragma once

#include "core/models/model_family.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// Returns the CLIP states of the first and, if given, the last frame: float32 [1 or 2, n, D], from the layer before
/// the last. The encoder is loaded only for this call.
Tensor encode_images(const EncodeInput& input, const ForwardContext& context);

/// Returns the condition of Wan 2.1 and 2.2 A14B, which is concatenated to the latents: [1, 4 + z, f, h, w]. Four mask
/// channels, one per frame of a latent frame, mark the given frames; then come the latents of a video with gray frames
/// between the images. The VAE encoder is loaded only for this call.
Tensor encode_video_condition(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context);
/// Returns the condition of Wan 2.2 5B, which replaces the first latent frame: [1, z, 1, h, w]. The VAE encoder is
/// loaded only for this call.
Tensor encode_first_frame(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context);

/// Returns a mask [1, 1, f, h, w] that is 1 for latent frames that the denoiser generates, and 0 for those of the
/// condition.
Tensor first_frame_mask(const std::vector<std::int64_t>& latents_shape, const Tensor& condition);

}  // namespace kinescope::wan
