#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::ltx {

/// Runs one component on the inputs of a golden case: "transformer", "text_encoder" (with and without its mask) or
/// "vae". The outputs have the axis order of the reference.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::ltx
