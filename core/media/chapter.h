#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// A chapter of a video. Times in microseconds from the start of the file.
struct Chapter {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::string title;  ///< empty: none
    bool operator==(const Chapter&) const = default;
};

/// Largest number of chapters that are read.
inline constexpr int kMostChapters = 1000;

}  // namespace kinescope
