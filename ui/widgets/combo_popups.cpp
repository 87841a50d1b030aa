#include "ui/widgets/combo_popups.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScreen>
#include <QScrollBar>
#include <algorithm>

namespace kinescope::ui {
namespace {

constexpr int kMostEntries = 30;
constexpr int kMargins = 12;  ///< px for the frame and padding of the list, to the left and right of the texts

void widen(QWidget& popup, const QAbstractItemView& view) {
    const QRect room = popup.screen()->availableGeometry();
    const int bar = view.verticalScrollBar()->isVisible() ? view.verticalScrollBar()->width() : 0;
    const int needed = std::min(view.sizeHintForColumn(0) + bar + kMargins, room.width());
    if (popup.width() >= needed) return;
    const int left = std::min(popup.x(), room.right() + 1 - needed);
    popup.setGeometry(std::max(room.left(), left), popup.y(), needed, popup.height());
}

}  // namespace

ComboPopups::ComboPopups(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool ComboPopups::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Polish) {
        if (auto* combo = qobject_cast<QComboBox*>(watched)) combo->setMaxVisibleItems(kMostEntries);
    } else if (event->type() == QEvent::Show && watched->inherits("QComboBoxPrivateContainer")) {
        auto* popup = static_cast<QWidget*>(watched);
        if (const auto* view = popup->findChild<QAbstractItemView*>()) widen(*popup, *view);
    }
    return false;
}

}  // namespace kinescope::ui
