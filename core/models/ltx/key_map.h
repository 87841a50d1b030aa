#pragma once

#include "core/weights/formats/tensor_catalog.h"
#include "core/weights/key_map.h"

namespace kinescope::ltx {

/// Maps the original names of the denoiser.
const KeyMap& transformer_keys();

/// Maps the original names of the VAE, which number residual blocks, samplers and changes of width in one list.
/// `prefix`: the part of the names in `tensors` before "encoder." and "decoder.".
KeyMap vae_keys(const TensorCatalog& tensors, const std::string& prefix);

}  // namespace kinescope::ltx
