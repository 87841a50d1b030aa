#pragma once

#include <QColor>
#include <QPixmap>
#include <QString>
#include <QStringList>

class QPainter;
class QRectF;

namespace kinescope::ui {

/// Returns the names of the icons in resources/icons, sorted.
QStringList iconNames();

/// Renders the icon `name` in one color, `size_px` logical pixels wide. "play" and "stop" are filled.
QPixmap renderIcon(const QString& name, const QColor& color, int size_px, double device_pixel_ratio);

/// Draws an icon that fills the square `where`.
void paintIcon(QPainter& painter, const QString& name, const QColor& color, const QRectF& where);

}  // namespace kinescope::ui
