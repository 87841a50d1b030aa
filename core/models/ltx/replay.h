#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::ltx {

/// One component on the inputs of a golden case: "transformer", "text_encoder" (with and without its mask), "vae".
/// Values come out as the reference lays them out.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::ltx
