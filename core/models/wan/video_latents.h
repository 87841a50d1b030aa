#pragma once

#include "core/models/model_family.h"
#include "core/models/wan/config.h"

namespace kinescope::wan {

/// The latents of the first `num_frames` frames of EncodeInput::video, stretched to the request's size: float32
/// [1, z, f, h, w], normalized, mode of the posterior. The VAE encoder is loaded only for this call.
Tensor encode_video(const EncodeInput& input, int num_frames, const VaeConfig& config, const ForwardContext& context);

/// Returns (1 - sigma) * video + sigma * noise, float32 on the CPU: the start of a run that changes a video.
Tensor noised(const Tensor& video, const Tensor& noise, double sigma);

}  // namespace kinescope::wan
