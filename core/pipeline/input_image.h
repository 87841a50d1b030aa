#pragma once

#include <filesystem>

#include "core/api/video_request.h"
#include "core/device/tensor.h"
#include "core/models/model_family.h"

namespace kinescope {

/// Reads a request's image as uint8 [H, W, 3] RGB, upright. Returns an undefined tensor for an empty path. Throws
/// Error(file_not_found, image_unreadable).
Tensor read_input_image(const std::filesystem::path& file);

/// Returns the part in the middle of a picture, uint8 [H, W, 3], that has the aspect ratio of `size`, as far as whole
/// pixels allow. ImageFit::stretch, and an undefined tensor: returns the picture.
Tensor fitted_picture(const Tensor& picture, ImageFit fit, Size size);

/// Returns a reader of the same frames, each with fitted_picture().
ReadFrames fitted_frames(ReadFrames frames, ImageFit fit, Size size);

}  // namespace kinescope
