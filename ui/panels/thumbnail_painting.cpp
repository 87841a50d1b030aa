#include "ui/panels/thumbnail_painting.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

void paintThumbnail(QPainter& painter, const Theme& theme, const QRectF& where, const Thumbnail& thumbnail) {
    QPainterPath clip;
    clip.addRoundedRect(where, thumbnail.radius, thumbnail.radius);
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(where, theme.color(ColorRole::well));
    if (thumbnail.image.isNull()) {
        const double icon = std::min(24.0, where.height() / 2.5);
        paintIcon(painter, QStringLiteral("film"), theme.color(ColorRole::edge),
                  QRectF(where.center().x() - icon / 2, where.center().y() - icon / 2, icon, icon));
    } else {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        QRectF target({0, 0}, QSizeF(thumbnail.image.size()).scaled(where.size(), thumbnail.fit));
        target.moveCenter(where.center());
        painter.drawImage(target, thumbnail.image);
    }
    painter.restore();
}

}  // namespace kinescope::ui
