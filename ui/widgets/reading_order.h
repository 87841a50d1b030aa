#pragma once

#include <QList>
#include <QRect>

class QWidget;

namespace kinescope::ui {

/// Returns the indices of `places` in reading order: rows from top to bottom, each row from left to right.
QList<int> readingOrder(const QList<QRect>& places);

/// Makes Tab visit the visible widgets of a panel in reading order.
void tabInReadingOrder(QWidget& panel);

}  // namespace kinescope::ui
