#include "ui/windows/focus_ring.h"

#include <QApplication>
#include <QShortcut>
#include <QWidget>

namespace kinescope::ui {
namespace {

bool takesFocus(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
           !widget->focusProxy();
}

/// Returns the first widget inside `part` that Tab can reach.
QWidget* firstIn(QWidget* part) {
    if (takesFocus(part)) return part;
    QWidget* widget = part;
    while ((widget = widget->nextInFocusChain()) != part) {
        if (part->isAncestorOf(widget) && takesFocus(widget)) return widget;
    }
    return nullptr;
}

}  // namespace

FocusRing::FocusRing(QWidget& window, QList<QWidget*> parts) : QObject(&window), parts_(std::move(parts)) {
    auto* forward = new QShortcut(QKeySequence(Qt::Key_F6), &window);
    auto* back = new QShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F6), &window);
    connect(forward, &QShortcut::activated, this, &FocusRing::next);
    connect(back, &QShortcut::activated, this, &FocusRing::previous);
}

int FocusRing::current() const {
    QWidget* focus = QApplication::focusWidget();
    for (int i = 0; i < parts_.size(); ++i) {
        if (parts_[i] == focus || (focus && parts_[i]->isAncestorOf(focus))) return i;
    }
    return -1;
}

void FocusRing::move(int direction) {
    const int count = static_cast<int>(parts_.size());
    int part = current();
    if (part < 0) part = direction > 0 ? count - 1 : 0;
    for (int tried = 0; tried < count; ++tried) {
        part = (part + direction + count) % count;
        QWidget* target = parts_[part]->isVisible() ? firstIn(parts_[part]) : nullptr;
        if (target) return target->setFocus(Qt::TabFocusReason);
    }
}

}  // namespace kinescope::ui
