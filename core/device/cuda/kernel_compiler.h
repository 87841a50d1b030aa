#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// Throws Error(unsupported), which says why the fused kernels cannot be used.
[[noreturn]] void refuse_kernels(const std::string& why);

/// Returns the version of NVIDIA's run-time compiler (NVRTC), such as "13.0"; empty if it is not installed.
std::string nvrtc_version();

/// Compiles the fused kernels for a compute capability (90 for 9.0), or reads them from `folder` if they were compiled
/// before. Returns the binary that the driver loads. Compiling deletes other images of `folder` that are older than 90
/// days. Throws Error(unsupported) if NVRTC is missing or refuses the source.
std::string kernel_image(int capability, const std::filesystem::path& folder);

/// Compiles the kernels as kernel_image does if they are not in `folder`.
std::string compile_kernels(int capability);

/// Returns the file of `folder` in which kernel_image keeps the result. Its name contains the hash of the source and
/// the version of NVRTC.
std::filesystem::path kernel_image_file(int capability, const std::filesystem::path& folder);

}  // namespace kinescope
