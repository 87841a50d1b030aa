#pragma once

#include <QImage>
#include <QRectF>

class QPainter;
class QStyleOptionViewItem;

namespace kinescope::ui {

class Theme;

/// An image and how it fills its frame.
struct Thumbnail {
    QImage image;
    double radius = 8;  ///< of the corners, px
    Qt::AspectRatioMode fit = Qt::KeepAspectRatio;
};

/// Paints a thumbnail with rounded corners in the center of `where`, or a film icon if there is no image. A picture of
/// another shape than `where` leaves the rest of it as it is. Returns the painted area.
QRectF paintThumbnail(QPainter& painter, const Theme& theme, const QRectF& where, const Thumbnail& thumbnail);

/// Paints the star of a favorite into the corner of a picture.
void paintFavorite(QPainter& painter, const Theme& theme, const QRectF& picture);

/// Paints the frame of a selected or focused tile.
void paintSelection(QPainter& painter, const Theme& theme, const QStyleOptionViewItem& option);

}  // namespace kinescope::ui
