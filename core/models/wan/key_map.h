#pragma once

#include "core/weights/key_map.h"

namespace kinescope::wan {

/// The original authors' names of the denoiser, also ComfyUI's and those of GGUF files. Their norm3 is diffusers'
/// norm2.
const KeyMap& transformer_keys();
/// The original authors' names of the VAE of Wan 2.1 and of Wan 2.2.
const KeyMap& vae_21_keys();
const KeyMap& vae_22_keys();

}  // namespace kinescope::wan
