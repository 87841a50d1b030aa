#pragma once

#include <memory>
#include <string>

#include "core/models/model_family.h"

namespace kinescope {

/// A component's weights; if they are missing, a reader with the names, shapes and dtypes that its config implies, but
/// without data. Throws the errors of opening for damaged weights.
std::shared_ptr<const CheckpointReader> open_or_synthesize_weights(const ModelFiles& files, const ModelFamily& family,
                                                                   const std::string& component);

/// Whether a component's weight file is missing.
bool lacks_weights(const ModelFiles& files, const std::string& component);

}  // namespace kinescope
