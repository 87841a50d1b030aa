#pragma once

#include <vector>

#include "core/api/frame.h"
#include "core/api/model_card.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Returns a small image for each frame of the latents [1, C, F, H, W], by the model card's linear projection. If the
/// card has none, the image shows the mean of the first three channels in gray.
std::vector<FramePtr> latent_preview(const Tensor& latents, const ModelCard& card);

/// Converts float frames [F, H, W, 3] in [0, 1] to 8-bit images, rounded to nearest.
std::vector<FramePtr> to_frames(const Tensor& frames);

}  // namespace kinescope
