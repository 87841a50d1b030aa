#pragma once

#include <memory>
#include <string>

#include "core/models/model_family.h"

namespace kinescope {

/// A component's weights where they are there; else the names and shapes that its config asks for, in the dtype that
/// the card names, without a number in them. Throws what opening throws for weights that are there and cannot be read.
std::shared_ptr<const CheckpointReader> open_or_imagine_weights(const ModelFiles& files, const ModelFamily& family,
                                                                const std::string& component);

/// Whether a component has no weights yet.
bool lacks_weights(const ModelFiles& files, const std::string& component);

}  // namespace kinescope
