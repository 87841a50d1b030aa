#pragma once

#include "core/models/model_family.h"

namespace kinescope::svd {

/// Runs "unet", "vae_encode", "vae_decode" or "image_encoder" on the inputs of a golden case. Returns the outputs under
/// their names in the case, or an empty map for other components.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::svd
