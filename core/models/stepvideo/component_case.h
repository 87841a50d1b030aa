#pragma once

#include "core/models/component_case.h"

namespace kinescope::stepvideo {

/// Runs the case's transformer, Step-LLM or VAE; empty: the weights are of none of them.
ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context);

}  // namespace kinescope::stepvideo
