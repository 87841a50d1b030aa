#pragma once

#include <filesystem>

#include "core/device/tensor.h"

namespace kinescope {

/// Reads a request's image as uint8 [H, W, 3] RGB, upright. Returns an undefined tensor for an empty path. Throws
/// Error(file_not_found, image_unreadable).
Tensor read_input_image(const std::filesystem::path& file);

}  // namespace kinescope
