#pragma once

#include "core/models/model_family.h"

namespace kinescope::stepvideo {

/// Runs "transformer" or "encoders" (Step-LLM and CLIP) on the inputs of a golden case. Returns the outputs under their
/// names in the case, or an empty map for other components.
std::map<std::string, Tensor> replay_component(const ReplayInput& input, const ForwardContext& context);

/// Runs a transformer, Step-LLM or VAE whose files contain no model. Returns an empty map for the weights of other
/// components.
ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context);

}  // namespace kinescope::stepvideo
