#pragma once

#include <filesystem>
#include <vector>

#include "core/api/frame.h"

namespace kinescope {

/// The indices that a selection takes of `count` frames, ascending.
std::vector<int> selected_indices(int count, int max_frames);

/// Pictures of a video, a GIF, a picture or a folder of PNG frames, as Kinescope writes them. Throws
/// Error(file_not_found, file_unreadable, image_unreadable).
std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection);

}  // namespace kinescope
