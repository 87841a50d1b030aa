#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// Runs one component on the inputs of a golden case: "transformer" (both branches), "text_encoder", "vae_encode*" and
/// "vae_decode*", where a suffix may be the number of frames. Outputs have the axis order of the reference.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::cogvideox
