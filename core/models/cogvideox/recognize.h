#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::cogvideox {

/// The denoiser in diffusers' or the original (SAT) names.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalogue& tensors);

/// The VAE in either naming.
std::optional<RecognizedPart> recognize_vae(const TensorCatalogue& tensors);

}  // namespace kinescope::cogvideox
