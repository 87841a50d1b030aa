#pragma once

#include "core/weights/formats/tensor_catalog.h"
#include "core/weights/key_map.h"

namespace kinescope::ltx {

/// Returns the map of the original (Lightricks) names of the denoiser.
const KeyMap& transformer_keys();

/// Returns the map of the original names of the VAE, which number residual blocks, samplers and width changes in one
/// list. `prefix` is the part of the names in `tensors` before "encoder." and "decoder.".
KeyMap vae_keys(const TensorCatalog& tensors, const std::string& prefix);

}  // namespace kinescope::ltx
