#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

/// What can be named as a model in folders, at most three levels deep: diffusers folders, and files that hold a
/// denoiser; of a pair of experts the one for high noise. Safetensors and GGUF files that are damaged are among them,
/// so that it can be said. Reads headers only.
std::vector<std::filesystem::path> find_models(const std::vector<std::filesystem::path>& folders);

}  // namespace kinescope
