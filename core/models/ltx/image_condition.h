#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/ltx/run_shape.h"
#include "core/models/model_family.h"

namespace kinescope::ltx {

/// Adds the inputs of the denoiser and the scheduler, except the text:
///   condition            [1, C, F, H, W]: the images' latents at their frames, 0 elsewhere; undefined without images
///   "latents_initial"    the noise of the video's latents
///   "video_coords"       [1, 3, tokens]: the coordinates of the tokens
///   "conditioning_mask"  [1, tokens]: the strength with which each token is held; only with images
/// For comparison, adds the pixels, posteriors and noise of the images. The encoder is loaded only for this call.
void add_frames(const EncodeInput& input, const RunShape& shape, const ForwardContext& context,
                Conditioning& conditioning);

/// Returns the initial latents [1, C, F, H, W]: noise, interpolated with the images by the strength of each image.
Tensor starting_latents(const RunShape& shape, const Conditioning& conditioning);

}  // namespace kinescope::ltx
