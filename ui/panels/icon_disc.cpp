#include "ui/panels/icon_disc.h"

#include <QPainter>

#include "ui/widgets/icons.h"

namespace kinescope::ui {
namespace {

constexpr int kDiameter = 88;
constexpr double kIconPart = 0.4;

}  // namespace

IconDisc::IconDisc(const Theme& theme, const QString& icon, ColorRole role, QWidget* parent)
    : QWidget(parent), theme_(theme), icon_(icon), role_(role) {
    setDiameter(kDiameter);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void IconDisc::setDiameter(int px) {
    setFixedSize(px, px);
}

void IconDisc::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.tint(role_, 0.14));
    painter.drawEllipse(rect());
    const double size = width() * kIconPart;
    paintIcon(painter, icon_, theme_.color(role_), QRectF((width() - size) / 2, (height() - size) / 2, size, size));
}

}  // namespace kinescope::ui
