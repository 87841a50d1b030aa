#pragma once

#include <filesystem>
#include <vector>

#include "core/api/frame.h"

namespace kinescope {

/// Returns the indices of at most `max_frames` evenly spaced frames of `count`, ascending.
std::vector<int> selected_indices(int count, int max_frames);

/// Reads the selected frames of a video, a GIF, an image or a folder of PNG frames. Throws Error(file_not_found,
/// file_unreadable, image_unreadable), also if all frames are selected and the decoder filled damaged parts of some.
std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection);

}  // namespace kinescope
