#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// What a step cache of this threshold leaves out and what that costs, as it was measured; 0: off.
QString stepCacheWords(double threshold);

/// Whether the model is asked twice in a step of this request, with the words and without them.
bool isGuided(const VideoRequest& resolved);

/// "Off", "step cache 0.05", "step cache 0.05, guided 10 to 80 %".
QString savingSummary(const VideoRequest& resolved);

}  // namespace kinescope::ui
