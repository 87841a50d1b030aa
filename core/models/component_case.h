#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/numerics/probe.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// A component of a model, with recorded inputs and results of the reference implementation.
struct ComponentCase {
    std::string component;  ///< file name without extension
    Json config;            ///< "config" from the weights' metadata
    std::shared_ptr<const CheckpointReader> weights;
    std::shared_ptr<const CheckpointReader> io;  ///< inputs and reference results, by name
};

/// The results of a component, under the names of the reference results.
using ComponentOutputs = std::map<std::string, Tensor>;

/// Runs the component in float32 on the CPU, with the code of the family that recognizes its tensors. Throws
/// Error(model_unknown) if no family recognizes them, and Error(missing_keys) for a missing input.
ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context);

}  // namespace kinescope
