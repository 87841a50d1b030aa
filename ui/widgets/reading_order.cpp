#include "ui/widgets/reading_order.h"

#include <QWidget>
#include <algorithm>
#include <numeric>

namespace kinescope::ui {
namespace {

/// Returns true if two widgets are in one row: they share at least half of the height of the lower of the two.
bool isSameRow(const QRect& a, const QRect& b) {
    const int shared = std::min(a.bottom(), b.bottom()) - std::max(a.top(), b.top()) + 1;
    return 2 * shared >= std::min(a.height(), b.height());
}

/// Returns the widgets that Tab visits, in its order.
QList<QWidget*> tabWidgetsOf(QWidget& panel) {
    QList<QWidget*> widgets;
    QWidget* widget = &panel;
    while ((widget = widget->nextInFocusChain()) != &panel) {
        const bool isVisited = widget->isVisibleTo(&panel) && (widget->focusPolicy() & Qt::TabFocus) &&
                               widget->focusProxy() == nullptr && panel.isAncestorOf(widget);
        if (isVisited) widgets << widget;
    }
    return widgets;
}

}  // namespace

QList<int> readingOrder(const QList<QRect>& places) {
    QList<int> order(places.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return places[a].top() < places[b].top(); });
    for (auto row = order.begin(); row != order.end();) {
        const auto end = std::find_if_not(row, order.end(), [&](int i) { return isSameRow(places[*row], places[i]); });
        std::stable_sort(row, end, [&](int a, int b) { return places[a].left() < places[b].left(); });
        row = end;
    }
    return order;
}

void tabInReadingOrder(QWidget& panel) {
    const QList<QWidget*> widgets = tabWidgetsOf(panel);
    QList<QRect> places;
    for (const QWidget* widget : widgets) places << QRect(widget->mapTo(&panel, QPoint(0, 0)), widget->size());
    const QList<int> order = readingOrder(places);
    if (std::is_sorted(order.begin(), order.end())) return;
    // The others follow the first one, which must not take them behind the next panel.
    if (order.front() != 0) QWidget::setTabOrder(widgets.front(), widgets[order.front()]);
    for (qsizetype i = 1; i < order.size(); ++i) QWidget::setTabOrder(widgets[order[i - 1]], widgets[order[i]]);
}

}  // namespace kinescope::ui
