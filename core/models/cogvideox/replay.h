#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// One component on the inputs of a golden case: "transformer" (both branches), "text_encoder", "vae_encode" and
/// "vae_decode", these two also with an ending for the number of frames. Values come out as the reference lays them
/// out.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::cogvideox
