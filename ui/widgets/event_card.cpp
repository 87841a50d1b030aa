#include "ui/widgets/event_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

EventCard::EventCard(const Theme& theme, EventText text, QWidget* parent)
    : QFrame(parent), theme_(theme), text_(std::move(text)), icon_(new QLabel(this)) {
    setProperty("role", "card");
    setAccessibleName(plainText());
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(14, 12, 16, 12);
    all->setSpacing(10);
    all->addWidget(icon_, 0, Qt::AlignTop);
    auto* textColumn = new QVBoxLayout;
    textColumn->setSpacing(4);
    auto* head = new QHBoxLayout;
    auto* title = new QLabel(this);
    title->setTextFormat(Qt::PlainText);
    title->setText(text_.title);
    title->setProperty("type", "strong");
    title->setWordWrap(true);
    auto* when = new QLabel(text_.when, this);
    when->setProperty("type", "caption");
    head->addWidget(title, 1);
    head->addWidget(when, 0, Qt::AlignTop);
    textColumn->addLayout(head);
    if (!text_.body.isEmpty()) {
        auto* body = new QLabel(this);
        body->setTextFormat(Qt::PlainText);
        body->setText(text_.body);
        body->setProperty("type", "note");
        body->setWordWrap(true);
        body->setTextInteractionFlags(Qt::TextSelectableByMouse);
        textColumn->addWidget(body);
    }
    if (!text_.links.isEmpty()) {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        addLinks(*row);
        textColumn->addLayout(row);
    }
    all->addLayout(textColumn, 1);
    connect(&theme_, &Theme::themeChanged, this, &EventCard::recolor);
    recolor();
}

QString EventCard::plainText() const {
    return QStringList{text_.title, text_.when, text_.body}.join(QLatin1Char('\n'));
}

void EventCard::addLinks(QHBoxLayout& row) {
    for (const EventText::Link& link : std::as_const(text_.links)) {
        auto* button = new QPushButton(link.text, this);
        button->setProperty("role", "link");
        button->setAccessibleName(link.text);
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QPushButton::clicked, this, [this, id = link.id] { Q_EMIT linkActivated(id); });
        row.addWidget(button);
    }
    row.addStretch(1);
}

void EventCard::recolor() {
    icon_->setPixmap(renderIcon(text_.icon, theme_.color(text_.role), 20, devicePixelRatioF()));
    update();
}

void EventCard::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.color(text_.role));
    painter.drawRoundedRect(QRectF(0, 12, 3, 28), 1.5, 1.5);
}

}  // namespace kinescope::ui
