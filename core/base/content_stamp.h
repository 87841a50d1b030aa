#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kinescope {

/// Identifies what a file, or a folder of files, contains.
struct ContentStamp {
    std::string sha256;        ///< of a folder: of the names and hashes of the files directly in it, sorted by name
    std::int64_t bytes = 0;    ///< of all files
    std::int64_t changed = 0;  ///< when the newest file changed, in nanoseconds
};

/// Reads a file, or all files of a folder. Throws Error(file_not_found or file_unreadable).
ContentStamp content_stamp(const std::filesystem::path& path);

/// Returns true if a path has these contents. Does not read files whose size and time have not changed. Throws
/// Error(file_not_found or file_unreadable).
bool has_stamp(const std::filesystem::path& path, const ContentStamp& expected);

}  // namespace kinescope
