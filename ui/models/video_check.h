#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

/// The result of decoding a video.
struct VideoCheck {
    int frames = 0;               ///< decoded frames
    std::optional<int> expected;  ///< requested frames; nullopt: unknown
    int black = 0;                ///< black frames
};

/// Counts decoded and black frames. `frames` may be scaled down. `request` is the one stored in the video.
VideoCheck checkVideo(const std::vector<FramePtr>& frames, const std::optional<VideoRequest>& request);

bool isWhole(const VideoCheck& check);
/// Returns "Complete: 25 frames can be read.", or the problem.
QString videoCheckText(const VideoCheck& check);

}  // namespace kinescope::ui
