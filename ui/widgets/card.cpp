#include "ui/widgets/card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "ui/widgets/reading_order.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

bool movesWidgets(const QEvent& event) {
    return event.type() == QEvent::LayoutRequest || event.type() == QEvent::Show || event.type() == QEvent::Resize;
}

}  // namespace

Card::Card(const Theme&, QWidget* parent) : QFrame(parent) {
    setProperty("role", "surface");
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 12, 16, 16);
    all->setSpacing(8);
    header_row_ = new QWidget(this);
    header_ = new QHBoxLayout(header_row_);
    header_->setContentsMargins(0, 0, 0, 0);
    header_->setSpacing(8);
    title_ = new QLabel(header_row_);
    title_->setProperty("type", "subtitle");
    title_->setTextFormat(Qt::PlainText);
    header_->addWidget(title_);
    header_->addStretch(1);
    header_row_->setVisible(false);
    body_ = new QVBoxLayout;
    body_->setSpacing(8);
    all->addWidget(header_row_);
    all->addLayout(body_, 1);
}

void Card::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    header_row_->setVisible(!title.isEmpty());
}

bool Card::event(QEvent* event) {
    if (movesWidgets(*event)) orderTabsSoon();
    return QFrame::event(event);
}

/// Watches scrolled contents, because the changes of their layouts do not reach the card.
bool Card::eventFilter(QObject* watched, QEvent* event) {
    if (movesWidgets(*event)) orderTabsSoon();
    return QFrame::eventFilter(watched, event);
}

/// Updates the tab order after the layout.
void Card::orderTabsSoon() {
    if (!std::exchange(ordering_, true)) QTimer::singleShot(0, this, &Card::orderTabs);
}

void Card::orderTabs() {
    ordering_ = false;
    if (!isVisible()) return;
    for (const QScrollArea* area : findChildren<QScrollArea*>())
        if (area->widget() != nullptr) area->widget()->installEventFilter(this);
    tabInReadingOrder(*this);
}

QString Card::title() const {
    return title_->text();
}

}  // namespace kinescope::ui
