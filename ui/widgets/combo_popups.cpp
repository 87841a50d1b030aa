#include "ui/widgets/combo_popups.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLayout>
#include <QScreen>
#include <QScrollBar>
#include <algorithm>

namespace kinescope::ui {
namespace {

constexpr int kMostEntries = 30;
constexpr int kMargins = 12;  ///< px beside the texts, for the frame and the padding of the list

/// Returns the height of the entries. Separators and styled entries have other heights than Qt assumes.
int heightOfEntries(const QAbstractItemView& view) {
    const QAbstractItemModel& model = *view.model();
    const int last = std::min(model.rowCount(view.rootIndex()), kMostEntries) - 1;
    const auto placeOf = [&](int row) { return view.visualRect(model.index(row, 0, view.rootIndex())); };
    return last < 0 ? 0 : placeOf(last).bottom() + 1 - placeOf(0).top();
}

/// Hides the arrows for scrolling. QComboBox shows them again if a part of the list does not fit.
void hideArrows(const QWidget& popup) {
    for (auto* child : popup.findChildren<QWidget*>())
        if (child->inherits("QComboBoxPrivateScroller")) child->hide();
}

/// Moves and resizes the list, and lays out its entries at once. With the old range of the scroll bar, QComboBox would
/// show an arrow that covers the last entry.
void place(QWidget& popup, QAbstractItemView& view, QSize size) {
    const QRect room = popup.screen()->availableGeometry();
    size = size.boundedTo(room.size());
    const int left = std::min(popup.x(), room.right() + 1 - size.width()),
              top = std::min(popup.y(), room.bottom() + 1 - size.height());
    popup.setGeometry({{std::max(room.left(), left), std::max(room.top(), top)}, size});
    popup.layout()->activate();
    view.doItemsLayout();
}

void enlarge(QWidget& popup, QAbstractItemView& view) {
    const int bar = view.verticalScrollBar()->isVisible() ? view.verticalScrollBar()->width() : 0;
    const int width = std::max(popup.width(), view.sizeHintForColumn(0) + bar + kMargins);
    hideArrows(popup);
    place(popup, view, {width, popup.height()});
    const int missing = heightOfEntries(view) - view.viewport()->height();
    if (missing != 0) place(popup, view, {width, popup.height() + missing});
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
