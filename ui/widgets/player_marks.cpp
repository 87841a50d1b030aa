#include "ui/widgets/player_marks.h"

#include <QPainter>
#include <algorithm>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tokens.h"

namespace kinescope::ui {

void paintBadge(QPainter& painter, const Theme& theme, const QRectF& seen, const QString& text) {
    if (text.isEmpty()) return;
    QFont font = theme.font(Type::caption);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double high = std::max(24.0, metrics.height() + 8);
    const QRectF pill(seen.left() + 12, seen.bottom() - high - 12, metrics.horizontalAdvance(text) + 32, high);
    // Frames may be bright or dark, so the badge has a background, which is the same in every theme.
    QColor ground = darkTokens().color(ColorRole::well);
    ground.setAlphaF(0.82F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(pill, high / 2, high / 2);
    painter.setPen(darkTokens().color(ColorRole::text));
    painter.drawText(pill, Qt::AlignCenter, text);
}

void paintEmptyState(QPainter& painter, const Theme& theme, const QSizeF& room, const EmptyState& state) {
    const QFont title = theme.font(Type::title);
    const QFontMetricsF title_metrics(title);
    const QFontMetricsF text_metrics(theme.font(Type::body));
    const double high = 88 + 24 + title_metrics.height() + 8 + text_metrics.height();
    const QPointF middle(room.width() / 2.0, std::max(52.0, (room.height() - high) / 2 + 44));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.tint(ColorRole::accent, 0.16));
    painter.drawEllipse(middle, 44, 44);
    paintIcon(painter, state.icon, theme.color(ColorRole::accent), QRectF(middle.x() - 18, middle.y() - 18, 36, 36));
    painter.setFont(title);
    painter.setPen(theme.color(ColorRole::text));
    QRectF line(16, middle.y() + 44 + 24, room.width() - 32, title_metrics.height());
    painter.drawText(line, Qt::AlignCenter, state.title);
    painter.setFont(theme.font(Type::body));
    painter.setPen(theme.color(ColorRole::text2));
    line = QRectF(16, line.bottom() + 8, room.width() - 32, room.height() - line.bottom() - 8);
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, state.text);
}

}  // namespace kinescope::ui
