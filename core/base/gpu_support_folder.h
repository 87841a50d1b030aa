#pragma once

#include <filesystem>
#include <string_view>

namespace kinescope {

/// The folder of all versions of GPU support (core/api/gpu_support.h).
std::filesystem::path gpu_support_root();

/// The folder for one version of LibTorch. It exists only if GPU support is installed completely, and has the layout of
/// a site-packages folder: torch/lib and nvidia/.
std::filesystem::path gpu_support_folder(std::string_view libtorch_version);

}  // namespace kinescope
