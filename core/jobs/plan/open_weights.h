#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/models/model_family.h"

namespace kinescope {

/// Opens a component's weights. If the file is missing, returns a reader with the names, shapes and dtypes that follow
/// from the config, but without data. Throws the errors of ModelFiles::open_weights() if the file is damaged.
std::shared_ptr<const CheckpointReader> open_or_synthesize_weights(const ModelFiles& files, const ModelFamily& family,
                                                                   const std::string& component);

/// Returns the error of opening a component's weight file if it is missing. Throws the other errors of
/// ModelFiles::open_weights().
std::optional<Error> missing_weights(const ModelFiles& files, const std::string& component);

}  // namespace kinescope
