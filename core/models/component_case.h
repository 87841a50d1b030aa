#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/numerics/probe.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// One component of a model by itself, with what the reference computed with it.
struct ComponentCase {
    std::string component;  ///< the name of its file
    Json config;            ///< "config" of the weights' metadata
    std::shared_ptr<const CheckpointReader> weights;
    std::shared_ptr<const CheckpointReader> io;  ///< inputs and the reference's results, by name
};

/// Results under the names that the reference's have in the case.
using ComponentOutputs = std::map<std::string, Tensor>;

/// Runs the component in float32 on the CPU, as the family does that knows its tensors. Throws Error(model_unknown)
/// when none does, Error(missing_keys) for a case that lacks an input.
ComponentOutputs run_component(const ComponentCase& given, const ForwardContext& context);

}  // namespace kinescope
