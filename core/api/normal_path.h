#pragma once

#include <filesystem>

namespace kinescope {

/// Returns a path to the same file without "." and, where that is possible, "..". Unlike lexically_normal(), keeps ".."
/// after a symbolic link: if "link" leads to another folder, then "link/../a.png" is not "a.png".
std::filesystem::path normal_path(const std::filesystem::path& path);

}  // namespace kinescope
