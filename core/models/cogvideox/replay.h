#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// Runs one component on the inputs of a golden case: "transformer" (both branches), "text_encoder", "vae_encode*" or
/// "vae_decode*", whose suffix may be the number of frames. The outputs have the axis order of the reference.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::cogvideox
