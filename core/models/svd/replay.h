#pragma once

#include "core/models/model_family.h"

namespace kinescope::svd {

/// One forward of "unet", "vae_encode", "vae_decode" or "image_encoder" on the inputs of a golden case; the outputs by
/// the case's names. Empty for other components.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::svd
