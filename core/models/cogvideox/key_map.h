#pragma once

#include "core/weights/key_map.h"

namespace kinescope::cogvideox {

/// Maps denoiser names of the original (SAT) release.
const KeyMap& transformer_keys();

/// Maps VAE names of the original release. `levels`: number of resolutions, which its decoder numbers in reverse.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::cogvideox
