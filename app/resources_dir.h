#pragma once

#include <filesystem>

namespace kinescope {

/// Returns the path of the running program.
std::filesystem::path program_file();

/// Returns the folder of the running program.
std::filesystem::path program_dir();

/// Returns the folder with demo_model/ and presets/: `given` or, if it is empty, the environment variable
/// KINESCOPE_RESOURCES or, if it is not set, <program>/../share/kinescope (installed) or <program>/../../resources
/// (source tree). Returns an empty path if neither folder exists. Throws Error(file_not_found) if `given` or the
/// variable names a missing folder.
std::filesystem::path find_resources_dir(const std::filesystem::path& given, const std::filesystem::path& program);

}  // namespace kinescope
