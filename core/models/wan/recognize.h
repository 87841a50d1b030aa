#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope::wan {

/// The denoiser in diffusers', the original authors' or ComfyUI's names. `config` is that of diffusers; the head width
/// is 128 as in everything published, where the width is a multiple of it.
std::optional<RecognizedPart> recognize_transformer(const TensorCatalogue& tensors);

/// The VAE of Wan 2.1 or 2.2 in any of the namings.
std::optional<RecognizedPart> recognize_vae(const TensorCatalogue& tensors);

/// config.json of Wan 2.2's VAE.
Json published_vae_22_config();

/// The original authors' config.json (WanModel) in diffusers' keys.
Json config_from_native(const Json& native);

}  // namespace kinescope::wan
