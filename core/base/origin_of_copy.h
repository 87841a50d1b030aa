#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>

#include "core/base/regular_file.h"

namespace kinescope {

/// Returns the file, beside a copy of an input from another computer, that names where its user has the original.
inline std::filesystem::path origin_file(const std::filesystem::path& copy) {
    return copy.parent_path() / ("." + copy.filename().string() + ".origin");
}

/// Returns the path of the original of such a copy, which a video's settings record; `file` itself for other files.
inline std::filesystem::path origin_of_copy(const std::filesystem::path& file) {
    constexpr std::uintmax_t kLongestPath = 4096;
    std::error_code ignored;
    if (file.empty() || !std::filesystem::is_regular_file(origin_file(file), ignored)) return file;
    try {
        const std::string origin = read_regular_file(origin_file(file), kLongestPath);
        return origin.empty() ? file : std::filesystem::path(origin);
    } catch (const std::exception&) {
        return file;  // the run goes on; its settings then name the copy
    }
}

}  // namespace kinescope
