#pragma once

#include <filesystem>

namespace kinescope {

/// The running program.
std::filesystem::path program_file();

/// Its folder.
std::filesystem::path program_dir();

/// Where demo_model/ and presets/ are, the first of: `given`, the environment's KINESCOPE_RESOURCES,
/// <program>/../share/kinescope (installed), <program>/../../resources (built in the source tree).
/// Empty when none exists; throws Error(file_not_found) when `given` or the environment names a folder that is not
/// there.
std::filesystem::path find_resources_dir(const std::filesystem::path& given, const std::filesystem::path& program);

}  // namespace kinescope
