#pragma once

#include <filesystem>

namespace kinescope {

/// Returns the path of the running program.
std::filesystem::path program_file();

/// Returns the folder of the running program.
std::filesystem::path program_dir();

/// Returns the folder with demo_model/ and presets/: `given`, else the environment variable KINESCOPE_RESOURCES, else
/// <program>/../share/kinescope (installed), else <program>/../../resources (source tree). Returns an empty path if
/// none exists. Throws Error(file_not_found) if `given` or the variable names a missing folder.
std::filesystem::path find_resources_dir(const std::filesystem::path& given, const std::filesystem::path& program);

}  // namespace kinescope
