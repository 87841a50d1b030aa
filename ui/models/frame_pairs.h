#pragma once

#include <utility>
#include <vector>

namespace kinescope::ui {

/// Evenly spaced frames of a video, including the first and the last.
struct ReadFrames {
    int numRead = 0;
    int numFrames = 0;  ///< of the video
};

/// Returns pairs of indices into the frames that are read of two videos, so that both frames of a pair have about the
/// same number in their videos. Omits the end of the longer video.
std::vector<std::pair<int, int>> framePairs(ReadFrames a, ReadFrames b);

}  // namespace kinescope::ui
