#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::svd {

/// The UNet in diffusers' or the original (sgm) names.
std::optional<RecognizedPart> recognize_unet(const TensorCatalogue& tensors);

/// The VAE with the temporal decoder in either naming.
std::optional<RecognizedPart> recognize_vae(const TensorCatalogue& tensors);

}  // namespace kinescope::svd
