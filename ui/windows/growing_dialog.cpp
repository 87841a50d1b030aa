#include "ui/windows/growing_dialog.h"

#include <QEvent>
#include <QLayout>

namespace kinescope::ui {

bool GrowingDialog::event(QEvent* event) {
    const bool isHandled = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest && layout()) {
        const int needed = layout()->totalHeightForWidth(width());
        if (height() < needed) resize(width(), needed);
    }
    return isHandled;
}

}  // namespace kinescope::ui
