#pragma once

#include <vector>

#include "core/api/frame.h"
#include "core/api/model_card.h"
#include "core/device/tensor.h"

namespace kinescope {

/// Latents [1, C, F, H, W] to one small picture for each latent frame, by the card's linear projection. Without one,
/// the first three channels are stretched to the grey range: shapes show, colours do not.
std::vector<FramePtr> latent_preview(const Tensor& latents, const ModelCard& card);

/// [F, H, W, 3] float 0..1 to 8-bit pictures, rounded to nearest.
std::vector<FramePtr> to_frames(const Tensor& frames);

}  // namespace kinescope
