#pragma once

#include "core/media/av_handles.h"
#include "core/media/video_info.h"

namespace kinescope {

/// Compares the length of a video or sound file with what its structure says. `whole`: also for files that do not say
/// it, such as live recordings. Moves the read position of the file.
FileExtent file_extent(AVIOContext& io);

}  // namespace kinescope
