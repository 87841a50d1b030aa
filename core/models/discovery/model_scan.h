#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

/// Finds models in folders, at most three levels deep: diffusers folders and files that contain a denoiser. Of a pair
/// of experts, returns the high-noise one. Includes damaged safetensors and GGUF files, so that they can be reported.
/// Reads only headers.
std::vector<std::filesystem::path> find_models(const std::vector<std::filesystem::path>& folders);

}  // namespace kinescope
