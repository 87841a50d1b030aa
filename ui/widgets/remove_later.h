#pragma once

#include <QWidget>

namespace kinescope::ui {

/// Removes a widget from its parent at once and deletes it later, because it may be the sender of the signal that is
/// being handled.
inline void removeLater(QWidget* widget) {
    widget->hide();
    widget->setParent(nullptr);
    widget->deleteLater();
}

}  // namespace kinescope::ui
