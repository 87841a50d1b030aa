#include "ui/widgets/reading_order.h"

#include <QHash>
#include <QScrollArea>
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

/// Returns the scroll area inside `panel` that shows the widget, otherwise the widget itself. What a scroll area shows
/// is read as a whole, also the part that is scrolled out of view.
QWidget* unitOf(const QWidget& panel, QWidget* widget) {
    QWidget* unit = widget;
    for (QWidget* around = widget->parentWidget(); around != &panel; around = around->parentWidget())
        if (qobject_cast<QScrollArea*>(around)) unit = around;
    return unit;
}

QList<QWidget*> inOrder(const QWidget& panel, const QList<QWidget*>& widgets) {
    QList<QRect> places;
    for (const QWidget* widget : widgets) places << QRect(widget->mapTo(&panel, QPoint(0, 0)), widget->size());
    QList<QWidget*> ordered;
    for (const int i : readingOrder(places)) ordered << widgets[i];
    return ordered;
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
    QList<QWidget*> units;
    QHash<QWidget*, QList<QWidget*>> parts;
    for (QWidget* widget : widgets) {
        QWidget* unit = unitOf(panel, widget);
        if (!parts.contains(unit)) units << unit;
        parts[unit] << widget;
    }
    QList<QWidget*> ordered;
    for (QWidget* unit : inOrder(panel, units)) ordered << inOrder(panel, parts[unit]);
    if (ordered == widgets) return;
    // The others follow the first one, which must not take them behind the next panel.
    if (ordered.front() != widgets.front()) QWidget::setTabOrder(widgets.front(), ordered.front());
    for (qsizetype i = 1; i < ordered.size(); ++i) QWidget::setTabOrder(ordered[i - 1], ordered[i]);
}

}  // namespace kinescope::ui
