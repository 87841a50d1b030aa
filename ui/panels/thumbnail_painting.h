#pragma once

#include <QImage>
#include <QRectF>

class QPainter;

namespace kinescope::ui {

class Theme;

/// A picture in a frame with round corners; a film where there is none.
struct Thumbnail {
    QImage image;
    double radius = 8;
    Qt::AspectRatioMode fit = Qt::KeepAspectRatio;
};

void paintThumbnail(QPainter& painter, const Theme& theme, const QRectF& where, const Thumbnail& thumbnail);

}  // namespace kinescope::ui
