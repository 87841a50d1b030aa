#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// The measured saving and cost of a step cache threshold; 0: off.
QString stepCacheText(double threshold);

/// "Off", "step cache 0.05", "step cache 0.05, guided 10 to 80 %".
QString savingSummary(const VideoRequest& resolved);

}  // namespace kinescope::ui
