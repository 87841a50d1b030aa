#include "ui/models/images.h"

namespace kinescope::ui {

QImage imageOf(const Frame& frame) {
    const auto pixels = static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
    if (frame.width <= 0 || frame.height <= 0 || frame.pixels.size() < 3 * pixels) return {};
    return QImage(frame.pixels.data(), frame.width, frame.height, 3 * frame.width, QImage::Format_RGB888)
        .convertToFormat(QImage::Format_RGB32);
}

QList<QImage> imagesOf(const std::vector<FramePtr>& frames) {
    QList<QImage> images;
    for (const FramePtr& frame : frames) images << (frame ? imageOf(*frame) : QImage());
    return images;
}

}  // namespace kinescope::ui
