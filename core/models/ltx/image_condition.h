#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/ltx/run_shape.h"
#include "core/models/model_family.h"

namespace kinescope::ltx {

/// Adds the inputs of the denoiser and the scheduler, except the text:
///   condition            [1, C, F, H, W]: the latents of images and videos at their frames, 0 elsewhere; undefined
///                        without them
///   "latents_initial"    the noise of the video's latents
///   "video_coords"       [1, 3, tokens]: the coordinates of the tokens
///   "conditioning_mask"  [1, tokens]: the strength with which each token is held; only with images or videos
///   "held_frames"        the same for each latent frame, see held_frames(); only with images or videos
///   "starting_latents"   see starting_latents(); only with images or videos
/// For comparison, adds their pixels, posteriors and noise. The encoder is loaded only for this call.
void add_frames(const EncodeInput& input, const RunShape& shape, const ForwardContext& context,
                Conditioning& conditioning);

/// Returns the initial latents [1, C, F, H, W]: noise, interpolated with each image or video by its strength.
Tensor starting_latents(const RunShape& shape, const Conditioning& conditioning);

}  // namespace kinescope::ltx
