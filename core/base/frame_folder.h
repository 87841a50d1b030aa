#pragma once

#include <filesystem>

#include "core/api/video_request.h"

namespace kinescope {

// A video as a folder of PNG frames: 00000.png, 00001.png, ... The metadata of every frame names Kinescope as the
// creating software. Such a folder gets its final name when it is complete, and replaces only an empty folder or one
// that contains nothing but such frames.

/// The keyword and the value of that metadata.
inline constexpr const char* kFrameSoftwareKeyword = "software";  // a registered PNG keyword
inline constexpr const char* kFrameSoftware = "Kinescope";

/// Throws Error(output_exists) if a folder of frames cannot get this name, because of a file or another folder.
void check_frame_folder(const std::filesystem::path& folder, OverwriteMode overwrite);

/// Gives a complete folder of frames its final name, on the same file system. A folder that is replaced stays until
/// then. Returns 0 on success, otherwise the value of errno: EEXIST or ENOTEMPTY if the name is taken, EXDEV on another
/// file system; the folder then keeps its name.
int rename_frame_folder(const std::filesystem::path& from, const std::filesystem::path& to, OverwriteMode overwrite);

}  // namespace kinescope
