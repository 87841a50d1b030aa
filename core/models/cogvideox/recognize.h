#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::cogvideox {

/// Recognizes the denoiser by diffusers' or the original (SAT) tensor names.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors);

/// Recognizes the VAE by diffusers' or the original (SAT) tensor names.
std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors);

}  // namespace kinescope::cogvideox
