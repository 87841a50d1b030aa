#pragma once

#include <QString>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// Describes the measured saving and loss of a step cache threshold. 0 turns the cache off.
QString stepCacheText(double threshold);

/// Summarizes the acceleration settings: "Off", "step cache 0.05", "step cache 0.05, guided 10 to 80 %".
QString savingSummary(const VideoRequest& resolved);

}  // namespace kinescope::ui
