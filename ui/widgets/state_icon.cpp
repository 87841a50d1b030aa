#include "ui/widgets/state_icon.h"

#include <QPainter>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kSize = 18;

}  // namespace

StateIcon::StateIcon(const Theme& theme, Severity severity, QWidget* parent)
    : QWidget(parent), theme_(theme), severity_(severity) {
    setFixedSize(kSize, kSize);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
}

void StateIcon::setSeverity(Severity severity) {
    severity_ = severity;
    update();
}

void StateIcon::paintEvent(QPaintEvent*) {
    if (severity_ == Severity::none) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const SeverityLook look = lookOf(severity_);
    paintIcon(painter, look.icon, theme_.color(look.role), QRectF(rect()));
}

}  // namespace kinescope::ui
