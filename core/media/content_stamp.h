#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/cancellation.h"

namespace kinescope {

/// Identifies the contents of a video, or of a folder of PNG frames.
struct ContentStamp {
    std::string sha256 = {};   ///< of a folder: of the names and contents of its frames
    std::int64_t bytes = 0;    ///< of all files
    std::int64_t changed = 0;  ///< when the newest file changed, in nanoseconds of the file clock
};

/// Reads a video, or all frames of a folder. Throws Error(file_not_found or file_unreadable), and Cancelled.
ContentStamp content_stamp(const std::filesystem::path& path, const CancellationToken& stop = {});

/// The same without the hash: opens the files, but reads nothing.
ContentStamp quick_stamp(const std::filesystem::path& path);

/// Returns true if a path has these contents. Does not read files whose size and time have not changed. Throws the
/// same.
bool has_stamp(const std::filesystem::path& path, const ContentStamp& expected, const CancellationToken& stop = {});

}  // namespace kinescope
