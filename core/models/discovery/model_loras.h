#pragma once

#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Adds LoRAs to the matching components of a model, in the given order. Tensors are changed when they are read. In a
/// model with two experts, a LoRA named for one noise level (see noise_levels_of_loras) changes only that expert.
/// Modules below "transformer_2." change only the second expert; if a file has such modules, those below "transformer."
/// change only the first. Returns notes about the experts that each LoRA changes, and about modules without a match.
/// Throws the errors of `check`, which is called for each LoRA, and of read_lora(), and Error(lora_mismatch) for a LoRA
/// without any match.
std::vector<std::string> add_loras(ModelFiles& files, const std::vector<LoraRequest>& loras,
                                   const WeightCheck& check = {});

}  // namespace kinescope
