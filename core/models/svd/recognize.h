#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::svd {

/// Recognizes the UNet by diffusers' or the original (sgm) tensor names.
std::optional<RecognizedPart> recognize_unet(const TensorCatalog& tensors);

/// Recognizes the VAE with the temporal decoder by diffusers' or the original (sgm) tensor names.
std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors);

}  // namespace kinescope::svd
