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
    constexpr double kMargin = 16, kRadius = 44, kIconRoom = 2 * kRadius + 24, kGap = 8;
    constexpr int kWrapped = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    const double width = room.width() - 2 * kMargin;
    const QFont title = theme.font(Type::title);
    const QFont body = theme.font(Type::body);
    const double title_height = QFontMetricsF(title).height();
    const QSizeF text = QFontMetricsF(body).boundingRect(QRectF(0, 0, width, 10'000), kWrapped, state.text).size();
    const double words_height = title_height + kGap + text.height();
    const bool has_icon = kIconRoom + words_height <= room.height();  // the text takes precedence over the icon
    double top = std::max(0.0, (room.height() - words_height - (has_icon ? kIconRoom : 0)) / 2);
    if (has_icon) {
        const QPointF middle(room.width() / 2, top + kRadius);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.tint(ColorRole::accent, 0.16));
        painter.drawEllipse(middle, kRadius, kRadius);
        const QRectF icon(middle.x() - 18, middle.y() - 18, 36, 36);
        paintIcon(painter, state.icon, theme.color(ColorRole::accent), icon);
        top += kIconRoom;
    }
    painter.setFont(title);
    painter.setPen(theme.color(ColorRole::text));
    painter.drawText(QRectF(kMargin, top, width, title_height), Qt::AlignCenter, state.title);
    painter.setFont(body);
    painter.setPen(theme.color(ColorRole::text2));
    top += title_height + kGap;
    painter.drawText(QRectF(kMargin, top, width, room.height() - top), kWrapped, state.text);
}

}  // namespace kinescope::ui
