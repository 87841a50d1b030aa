#pragma once

#include <QImage>
#include <QList>

#include "core/api/frame.h"

namespace kinescope::ui {

/// Converts a frame to RGB32, which draws twice as fast as RGB888. Returns a null image if the frame has no complete
/// pixel data.
QImage imageOf(const Frame& frame);
QList<QImage> imagesOf(const std::vector<FramePtr>& frames);

}  // namespace kinescope::ui
