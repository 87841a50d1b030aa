#pragma once

#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Throws Error(bad_config) if the config.json in the folder of the VAE or of a T5 encoder is that of another class
/// than the model uses, as in a folder that was copied from another model. Its tensors may have the same names and
/// shapes.
void check_component_classes(const ModelFiles& files);

}  // namespace kinescope
