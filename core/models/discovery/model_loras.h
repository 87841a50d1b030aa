#pragma once

#include <vector>

#include "core/api/video_request.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Adds LoRAs to the matching components of a model, in the given order. The additions are applied when tensors are
/// read. In a model with two experts, a file that is named for one noise level changes only that expert. Logs a warning
/// for modules without a match. Throws the errors of read_lora(), and Error(missing_keys) for a LoRA without any match.
void add_loras(ModelFiles& files, const std::vector<LoraRequest>& loras);

}  // namespace kinescope
