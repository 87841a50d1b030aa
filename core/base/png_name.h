#pragma once

#include <filesystem>

#include "core/base/lower_case.h"

namespace kinescope {

/// Returns true for the name of a PNG file: "frame.png", "FRAME.PNG".
inline bool names_png(const std::filesystem::path& file) {
    return lower_case(file.extension().string()) == ".png";
}

/// Returns true for the name of an output that consists of PNG files: one of them, or a folder of frames.
inline bool names_png_output(const std::filesystem::path& output) {
    return names_png(output) || output.extension().empty();
}

}  // namespace kinescope
