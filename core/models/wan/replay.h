#pragma once

#include <map>
#include <string>

#include "core/models/model_family.h"

namespace kinescope::wan {

/// Implements ModelFamily::replay for "text_encoder", "image_encoder", "transformer", "transformer_2" and "vae".
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

}  // namespace kinescope::wan
