#pragma once

#include <filesystem>
#include <string_view>

namespace kinescope {

/// Returns the folder that contains all versions of GPU support (core/api/gpu_support.h).
std::filesystem::path gpu_support_root();

/// Returns the GPU support folder for one version of LibTorch. It exists only if the installation is complete, and has
/// the layout of a site-packages folder: torch/lib and nvidia/.
std::filesystem::path gpu_support_folder(std::string_view libtorch_version);

}  // namespace kinescope
