#pragma once

#include "core/api/model_card.h"

namespace kinescope {

/// Returns the number of frames by which a continuation of `num_frames` frames repeats the end of the video before it:
/// 1 for models that start from an image; for the others up to 9, at most half of the frames, and as many as whole
/// latent frames hold. At least 1.
int overlap_frames(const ModelCard& card, int num_frames);

}  // namespace kinescope
