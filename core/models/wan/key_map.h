#pragma once

#include "core/weights/key_map.h"

namespace kinescope::wan {

/// Returns the map of denoiser names of the original release, which ComfyUI and GGUF files share. Its norm3 is
/// diffusers' norm2.
const KeyMap& transformer_keys();
/// Return the maps of VAE names of the original releases of Wan 2.1 and Wan 2.2.
const KeyMap& vae_21_keys();
const KeyMap& vae_22_keys();

}  // namespace kinescope::wan
