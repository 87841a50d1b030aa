#pragma once

#include "core/models/component_case.h"

namespace kinescope::stepvideo {

/// Runs a transformer, Step-LLM or VAE. Returns an empty map for the weights of other components.
ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context);

}  // namespace kinescope::stepvideo
