#pragma once

#include <vector>

#include "core/api/video_request.h"
#include "core/models/model_files.h"

namespace kinescope {

/// Adds LoRAs to the parts of a model that they fit, in the order given; tensors are changed as they are read. Where a
/// model has two experts, a file named for one noise level changes that expert alone. Modules that fit nowhere are a
/// warning in the log. Throws what read_lora throws, and Error(missing_keys) for a LoRA that fits nowhere at all.
void add_loras(ModelFiles& files, const std::vector<LoraRequest>& loras);

}  // namespace kinescope
