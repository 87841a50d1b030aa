#pragma once

#include <filesystem>
#include <vector>

#include "core/weights/weight_check.h"

namespace kinescope {

/// Finds models in folders, at most three levels deep: diffusers folders and files that contain a denoiser; of a pair
/// of experts, the high-noise one. Includes unreadable files and damaged safetensors and GGUF files, so that they can
/// be reported. Reads only headers, and calls `check` before each file.
std::vector<std::filesystem::path> find_models(const std::vector<std::filesystem::path>& folders,
                                               const WeightCheck& check = {});

}  // namespace kinescope
