#pragma once

#include <QRectF>
#include <QSizeF>
#include <QString>

class QPainter;

namespace kinescope::ui {

class Theme;

/// Paints a label in the lower left corner of the visible rectangle `seen`. Paints nothing if the text is empty.
void paintBadge(QPainter& painter, const Theme& theme, const QRectF& seen, const QString& text);

/// Content shown while there are no frames.
struct EmptyState {
    QString icon;
    QString title;
    QString text;
};
void paintEmptyState(QPainter& painter, const Theme& theme, const QSizeF& room, const EmptyState& state);

}  // namespace kinescope::ui
