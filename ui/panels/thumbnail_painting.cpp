#include "ui/panels/thumbnail_painting.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionViewItem>
#include <algorithm>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

void paintPlaceholder(QPainter& painter, const Theme& theme, const QRectF& where) {
    const double icon = std::min(24.0, where.height() / 2.5);
    painter.fillRect(where, theme.color(ColorRole::well));
    paintIcon(painter, QStringLiteral("film"), theme.color(ColorRole::edge),
              QRectF(where.center().x() - icon / 2, where.center().y() - icon / 2, icon, icon));
}

/// Returns the area of the whole picture, which is larger than `where` if it is expanded.
QRectF areaOf(const Thumbnail& thumbnail, const QRectF& where) {
    if (thumbnail.image.isNull()) return where;
    QRectF area({0, 0}, QSizeF(thumbnail.image.size()).scaled(where.size(), thumbnail.fit));
    area.moveCenter(where.center());
    return area;
}

}  // namespace

QRectF paintThumbnail(QPainter& painter, const Theme& theme, const QRectF& where, const Thumbnail& thumbnail) {
    const QRectF whole = areaOf(thumbnail, where);
    const QRectF shown = whole & where;
    QPainterPath clip;
    clip.addRoundedRect(shown, thumbnail.radius, thumbnail.radius);
    painter.save();
    painter.setClipPath(clip);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (thumbnail.image.isNull())
        paintPlaceholder(painter, theme, where);
    else
        painter.drawImage(whole, thumbnail.image);
    painter.restore();
    return shown;
}

void paintFavorite(QPainter& painter, const Theme& theme, const QRectF& picture) {
    constexpr double kSide = 20;
    const QRectF star(picture.right() - kSide - 6, picture.top() + 6, kSide, kSide);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 170));  // on pictures; the same in every theme
    painter.drawEllipse(star);
    painter.setFont(theme.font(Type::body));
    painter.setPen(darkTokens().color(ColorRole::warn));
    painter.drawText(star, Qt::AlignCenter, QStringLiteral("★"));
}

void paintSelection(QPainter& painter, const Theme& theme, const QStyleOptionViewItem& option) {
    const bool isSelected = option.state & QStyle::State_Selected;
    if (!isSelected && !(option.state & QStyle::State_HasFocus)) return;
    painter.setPen(QPen(theme.color(isSelected ? ColorRole::accent : ColorRole::edge), 2));
    painter.setBrush(isSelected ? QBrush(theme.tint(ColorRole::accent, 0.10)) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 10, 10);
}

}  // namespace kinescope::ui
