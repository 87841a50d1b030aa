#include "ui/widgets/icon_engine.h"

#include <QPainter>
#include <utility>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

IconEngine::IconEngine(const Theme* theme, QString name, ColorRole role, ColorRole checked)
    : theme_(theme), name_(std::move(name)), role_(role), checked_(checked) {}

QColor IconEngine::colorFor(QIcon::Mode mode, QIcon::State state) const {
    if (!theme_) return Qt::gray;
    QColor color = theme_->color(state == QIcon::On ? checked_ : role_);
    if (mode == QIcon::Disabled) {
        color = theme_->color(ColorRole::text3);
        color.setAlphaF(0.6F);
    }
    return color;
}

void IconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
    paintIcon(*painter, name_, colorFor(mode, state), rect);
}

QPixmap IconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    return scaledPixmap(size, mode, state, 1.0);
}

QPixmap IconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) {
    // Pixel ratio 1, because `size` is already in device pixels.
    return renderIcon(name_, colorFor(mode, state), qMin(size.width(), size.height()), 1.0);
}

QIconEngine* IconEngine::clone() const {
    return new IconEngine(*this);
}

}  // namespace kinescope::ui
