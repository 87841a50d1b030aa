#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

/// Returns the PNG frames of a folder in their order: by the values of the numbers in their names, so that frame2 comes
/// before frame10. Other and hidden files are left out. Throws Error(file_unreadable) for a folder without frames.
std::vector<std::filesystem::path> frames_in(const std::filesystem::path& folder);

}  // namespace kinescope
