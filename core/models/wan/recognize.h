#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::wan {

/// Recognizes the denoiser by diffusers', the original authors' or ComfyUI's tensor names. `config` of the result has
/// diffusers' keys. Assumes heads of width 128, as in all published models, if the width is a multiple of 128.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalog& tensors);

/// Recognizes the VAE of Wan 2.1 or 2.2 by diffusers', the original authors' or ComfyUI's tensor names.
std::optional<RecognizedPart> recognize_vae(const TensorCatalog& tensors);

/// Returns the contents of config.json for the Wan 2.2 VAE.
Json published_vae_22_config();

/// Converts the original authors' config.json (WanModel) to diffusers' keys.
Json config_from_native(const Json& native);

}  // namespace kinescope::wan
