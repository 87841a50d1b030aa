#include "ui/widgets/drop_hint.h"

#include <QEvent>
#include <QPainter>

#include "ui/widgets/icons.h"

namespace kinescope::ui {

DropHint::DropHint(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::AlertMessage, parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    parent->installEventFilter(this);
}

void DropHint::showHint(Answer answer, const QString& text) {
    answer_ = answer;
    text_ = text;
    setAccessibleName(text);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

bool DropHint::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) setGeometry(parentWidget()->rect());
    return PaintedWidget::eventFilter(watched, event);
}

void DropHint::paintEvent(QPaintEvent*) {
    const ColorRole role = answer_ == Answer::accepted ? ColorRole::accent : ColorRole::error;
    QPainter painter(this);
    begin(painter);
    QColor veil = theme().color(ColorRole::window);
    veil.setAlphaF(0.82F);
    painter.fillRect(rect(), veil);
    QPen pen(theme().color(role), 2);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    painter.setBrush(theme().tint(role, 0.08, ColorRole::window));
    const QRectF frame = QRectF(rect()).adjusted(12, 12, -12, -12);
    painter.drawRoundedRect(frame, 12, 12);
    const QString icon = answer_ == Answer::accepted ? QStringLiteral("down") : QStringLiteral("stopo");
    paintIcon(painter, icon, theme().color(role), QRectF(frame.center().x() - 16, frame.center().y() - 44, 32, 32));
    painter.setFont(theme().font(Type::subtitle));
    painter.setPen(theme().color(ColorRole::text));
    painter.drawText(frame.adjusted(24, frame.height() / 2, -24, 0), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                     text_);
}

}  // namespace kinescope::ui
