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
constexpr int kMargins = 12;  ///< px beside the texts, for the frame and the padding of the list

/// Returns the height of the list with all entries. Separators and styled entries have other heights than Qt assumes.
int heightOf(const QWidget& popup, const QAbstractItemView& view) {
    const int rows = std::min(view.model()->rowCount(view.rootIndex()), kMostEntries);
    int height = popup.height() - view.viewport()->height();  // of the frame, so that no empty strip remains
    for (int row = 0; row < rows; ++row) height += view.sizeHintForRow(row);
    return height;
}

void enlarge(QWidget& popup, QAbstractItemView& view) {
    const QRect room = popup.screen()->availableGeometry();
    const int bar = view.verticalScrollBar()->isVisible() ? view.verticalScrollBar()->width() : 0;
    const int width = std::max(popup.width(), std::min(view.sizeHintForColumn(0) + bar + kMargins, room.width()));
    const int height = std::max(popup.height(), std::min(heightOf(popup, view), room.height()));
    if (popup.size() == QSize(width, height)) return;
    const int left = std::min(popup.x(), room.right() + 1 - width),
              top = std::min(popup.y(), room.bottom() + 1 - height);
    popup.setGeometry(std::max(room.left(), left), std::max(room.top(), top), width, height);
    // With the old range of the scroll bar, QComboBox would show an arrow that covers the last entry.
    view.doItemsLayout();
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
        if (auto* view = popup->findChild<QAbstractItemView*>()) enlarge(*popup, *view);
    }
    return false;
}

}  // namespace kinescope::ui
