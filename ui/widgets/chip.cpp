#include "ui/widgets/chip.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/icons.h"

namespace kinescope::ui {

Chip::Chip(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::StaticText, parent) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setVisible(false);
}

void Chip::setChip(const QString& text, ColorRole role, const QString& icon) {
    text_ = text;
    role_ = role;
    icon_ = icon;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const {
    const QFontMetrics metrics(theme().font(Type::caption));
    const int icon = icon_.isEmpty() ? 0 : 20;
    return {metrics.horizontalAdvance(text_) + 18 + icon, std::max(24, metrics.height() + 8)};
}

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    const QRectF all = QRectF(rect());
    painter.setPen(Qt::NoPen);
    painter.setBrush(role_ == ColorRole::text2 ? theme().color(ColorRole::raised) : theme().tint(role_, 0.16));
    painter.drawRoundedRect(all, all.height() / 2, all.height() / 2);
    double left = 9;
    if (!icon_.isEmpty()) {
        paintIcon(painter, icon_, theme().color(role_), QRectF(7, (all.height() - 16) / 2, 16, 16));
        left += 20;
    }
    QFont font = theme().font(Type::caption);
    font.setWeight(QFont::Medium);
    painter.setFont(font);
    painter.setPen(theme().color(role_));
    const QRectF area(left, 0, all.width() - left - 6, all.height());
    painter.drawText(area, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text_, Qt::ElideMiddle, static_cast<int>(area.width()) + 1));
}

}  // namespace kinescope::ui
