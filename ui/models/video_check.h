#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/api/frame.h"
#include "core/api/video_request.h"

namespace kinescope::ui {

/// What reading a whole video showed.
struct VideoCheck {
    int frames = 0;               ///< that could be read
    std::optional<int> expected;  ///< that were asked for when it was made; nothing: not known
    int black = 0;                ///< of them
};

/// The pictures may be small ones.
VideoCheck checkVideo(const std::vector<FramePtr>& frames, const std::optional<VideoRequest>& request);

bool isWhole(const VideoCheck& check);
/// "Whole: all 25 frames can be read.", or what is wrong.
QString videoCheckText(const VideoCheck& check);

}  // namespace kinescope::ui
