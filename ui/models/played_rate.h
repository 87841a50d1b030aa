#pragma once

#include <algorithm>

#include "core/api/video_description.h"

namespace kinescope::ui {

/// Returns the rate at which `numShown` evenly chosen frames of a video take as long as the video, in frames per
/// second: of a long video, fewer frames are shown at a lower rate. `video.fps` must be positive.
inline double playedRate(const VideoDescription& video, int numShown) {
    return video.fps * std::min(1.0, static_cast<double>(numShown) / std::max(1, video.num_frames));
}

}  // namespace kinescope::ui
