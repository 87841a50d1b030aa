#pragma once

#include <QImage>
#include <QRectF>

class QPainter;

namespace kinescope::ui {

class Theme;

/// An image and how it fills its frame.
struct Thumbnail {
    QImage image;
    double radius = 8;  ///< of the corners, px
    Qt::AspectRatioMode fit = Qt::KeepAspectRatio;
};

/// Paints a thumbnail with rounded corners, or a film icon if there is no image.
void paintThumbnail(QPainter& painter, const Theme& theme, const QRectF& where, const Thumbnail& thumbnail);

}  // namespace kinescope::ui
