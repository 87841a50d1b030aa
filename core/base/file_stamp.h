#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace kinescope {

/// Identifies the state of a file without reading it.
struct FileStamp {
    std::int64_t device = 0;
    std::int64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t modified_ns = 0;
    bool operator==(const FileStamp&) const = default;
};

/// Returns the state of a file, or of the file that a symbolic link names. nullopt if there is none.
std::optional<FileStamp> file_stamp(const std::filesystem::path& file);

}  // namespace kinescope
