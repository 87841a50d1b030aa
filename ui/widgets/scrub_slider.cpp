#include "ui/widgets/scrub_slider.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme.h"

namespace kinescope::ui {

namespace {

constexpr double kKnob = 7;

}  // namespace

ScrubSlider::ScrubSlider(const Theme& theme, QWidget* parent) : QSlider(Qt::Horizontal, parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setPageStep(10);
    setMinimumHeight(20);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
    // Keys, the wheel and assistive technologies trigger actions.
    connect(this, &QAbstractSlider::actionTriggered, this, [this] { Q_EMIT scrubbed(sliderPosition()); });
}

void ScrubSlider::setReady(int count) {
    ready_ = count;
    update();
}

void ScrubSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double middle = height() / 2.0;
    const double span = std::max(maximum() - minimum(), 1);
    const auto line = [&](double part, ColorRole role) {
        painter.setBrush(theme_.color(role));
        painter.drawRoundedRect(QRectF(0, middle - 2, width() * std::clamp(part, 0.0, 1.0), 4), 2, 2);
    };
    line(1, ColorRole::hover);
    line(ready_ / (span + 1), ColorRole::edge);
    if (!isEnabled() || maximum() <= minimum()) return;
    const double x = kKnob + (width() - 2 * kKnob) * (value() - minimum()) / span;
    line(x / width(), ColorRole::accent);
    painter.setBrush(theme_.color(ColorRole::accent));
    painter.drawEllipse(QPointF(x, middle), kKnob, kKnob);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.color(ColorRole::text), 2));
        painter.drawEllipse(QPointF(x, middle), kKnob - 1, kKnob - 1);
    }
}

void ScrubSlider::goTo(double x) {
    const double part = (x - kKnob) / std::max(width() - 2 * kKnob, 1.0);
    const int wanted = minimum() + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (maximum() - minimum())));
    setValue(wanted);
    Q_EMIT scrubbed(wanted);
}

void ScrubSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) goTo(event->position().x());
}

void ScrubSlider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) goTo(event->position().x());
}

}  // namespace kinescope::ui
