#pragma once

#include "core/weights/key_map.h"

namespace kinescope::cogvideox {

/// The denoiser in the names of the original (SAT) release.
const KeyMap& transformer_keys();

/// The VAE of the original release; `levels`: how many resolutions it has, which its decoder counts from the other end.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::cogvideox
