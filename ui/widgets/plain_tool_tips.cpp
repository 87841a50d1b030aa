#include "ui/widgets/plain_tool_tips.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace kinescope::ui {

PlainToolTips::PlainToolTips(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool PlainToolTips::eventFilter(QObject* watched, QEvent* event) {
    // QToolTip polishes its label before it sets the first text.
    if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
        static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
    return false;
}

}  // namespace kinescope::ui
