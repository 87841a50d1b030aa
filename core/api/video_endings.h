#pragma once

#include <array>
#include <string_view>

namespace kinescope {

/// The extensions of the video files that runs write, in lower case.
inline constexpr std::array<std::string_view, 5> kVideoEndings = {".mp4", ".mkv", ".webm", ".mov", ".gif"};

}  // namespace kinescope
