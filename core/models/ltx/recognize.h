#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::ltx {

/// Recognize the denoiser or the VAE. The denoiser's config also names the pipeline for which a complete model file is
/// made, "ltx_pipeline", and contains "ltx_distilled" for distilled models.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors);
std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors);

/// Returns true for the config of a VAE of 0.9.5 or later. The config may be untrusted.
bool is_vae_095(const Json& config);

/// Returns true if a file contains a VAE of 0.9.5 or later, whose encoder moves pixels into channels.
bool holds_vae_095(const TensorCatalog& tensors);

}  // namespace kinescope::ltx
