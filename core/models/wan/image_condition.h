#pragma once

#include "core/models/model_family.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// What the CLIP tower says of the first and, if there is one, the last frame: float32 [1 or 2, n, D], the states
/// before its last layer. The tower lives only inside of this call.
Tensor encode_images(const EncodeInput& input, const ForwardContext& context);

/// What the VAE's encoder makes of the images. The encoder lives only inside of these calls.
///
/// Beside the latents (Wan 2.1 and 2.2 A14B): [1, 4 + z, f, h, w]. The mask says which frames are given, four rows for
/// the four frames of a latent frame; the video is the images with grey between them.
Tensor encode_video_condition(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context);
/// In place of the first latent frame (Wan 2.2 5B): [1, z, 1, h, w].
Tensor encode_first_frame(const EncodeInput& input, const VaeConfig& config, const ForwardContext& context);

/// 1 on the latent frames that the denoiser makes and 0 on those of the condition, [1, 1, f, h, w].
Tensor first_frame_mask(const std::vector<std::int64_t>& latents_shape, const Tensor& condition);

}  // namespace kinescope::wan
