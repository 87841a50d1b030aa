#pragma once

#include "core/media/av_handles.h"
#include "core/media/video_info.h"

namespace kinescope {

/// Compares the length of a video or sound file with what its structure says. Returns `whole` for files that do not
/// state a length, too, such as live recordings. Moves the read position of the file.
FileExtent file_extent(AVIOContext& io);

}  // namespace kinescope
