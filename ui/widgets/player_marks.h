#pragma once

#include <QRectF>
#include <QSizeF>
#include <QString>

class QPainter;

namespace kinescope::ui {

class Theme;

/// A short word in the lower left corner of what is to be seen of a picture. An empty one paints nothing.
void paintBadge(QPainter& painter, const Theme& theme, const QRectF& seen, const QString& text);

/// What stands where there are no pictures yet.
struct EmptyState {
    QString icon;
    QString title;
    QString text;
};
void paintEmptyState(QPainter& painter, const Theme& theme, const QSizeF& room, const EmptyState& state);

}  // namespace kinescope::ui
