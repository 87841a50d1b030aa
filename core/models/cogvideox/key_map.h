#pragma once

#include "core/weights/key_map.h"

namespace kinescope::cogvideox {

/// Returns the map of denoiser names of the original (SAT) release.
const KeyMap& transformer_keys();

/// Returns the map of VAE names of the original release. `levels` is the number of resolutions, which its decoder
/// numbers in reverse order.
KeyMap vae_keys(std::int64_t levels);

}  // namespace kinescope::cogvideox
