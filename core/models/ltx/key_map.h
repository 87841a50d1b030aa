#pragma once

#include "core/weights/formats/tensor_catalogue.h"
#include "core/weights/key_map.h"

namespace kinescope::ltx {

/// The denoiser in the original names.
const KeyMap& transformer_keys();

/// The VAE in the original names, which number residual blocks, samplers and changes of width in one row; `prefix` is
/// what stands before "encoder." and "decoder." in `tensors`.
KeyMap vae_keys(const TensorCatalogue& tensors, const std::string& prefix);

}  // namespace kinescope::ltx
