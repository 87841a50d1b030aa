#pragma once

#include "core/weights/key_map.h"

namespace kinescope::wan {

/// Maps denoiser names of the original release, also used by ComfyUI and GGUF files. Its norm3 is diffusers' norm2.
const KeyMap& transformer_keys();
/// Map VAE names of the original releases of Wan 2.1 and Wan 2.2.
const KeyMap& vae_21_keys();
const KeyMap& vae_22_keys();

}  // namespace kinescope::wan
