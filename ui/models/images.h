#pragma once

#include <QImage>
#include <QList>

#include "core/api/frame.h"

namespace kinescope::ui {

/// A picture that can be drawn fast: RGB32 takes half the time of RGB888. Null when the frame is not whole.
QImage imageOf(const Frame& frame);
QList<QImage> imagesOf(const std::vector<FramePtr>& frames);

}  // namespace kinescope::ui
