#pragma once

#include <array>
#include <string_view>

// Extensions of files, in lower case.

namespace kinescope {

/// The video files that runs write.
inline constexpr std::array<std::string_view, 5> kVideoEndings = {".mp4", ".mkv", ".webm", ".mov", ".gif"};

/// Those of them that can contain sound.
inline constexpr std::array<std::string_view, 4> kEndingsWithSound = {".mp4", ".mkv", ".webm", ".mov"};

/// The files that are read as videos.
inline constexpr std::array<std::string_view, 6> kReadVideoEndings = {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".gif"};

/// The files that are read as pictures.
inline constexpr std::array<std::string_view, 7> kReadPictureEndings = {".png", ".jpg", ".jpeg", ".webp",
                                                                        ".bmp", ".tif", ".tiff"};

}  // namespace kinescope
