#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::ltx {

/// Its config also says which pipeline a whole file is for: "ltx_pipeline".
std::optional<RecognizedPart> recognize_transformer(const TensorCatalogue& tensors);
std::optional<RecognizedPart> recognize_vae(const TensorCatalogue& tensors);

/// Whether a file holds a VAE of 0.9.5 and later, whose encoder moves places into channels.
bool holds_vae_095(const TensorCatalogue& tensors);

}  // namespace kinescope::ltx
