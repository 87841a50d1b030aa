#include "ui/widgets/plots/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace kinescope::ui {

Sparkline::Sparkline(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Chart, parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Sparkline::setValues(const QList<double>& values, double low, double high, int num_values) {
    values_ = values;
    low_ = low;
    high_ = high > low ? high : low + 1;
    num_values_ = std::max(num_values, static_cast<int>(values.size()));
    update();
}

void Sparkline::setRole(ColorRole role) {
    role_ = role;
    update();
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    QPainterPath path;
    bool gap = true;
    for (qsizetype i = 0; i < values_.size(); ++i) {
        if (!std::isfinite(values_[i])) {
            gap = true;
            continue;
        }
        const double x = 2 + (width() - 4.0) * static_cast<double>(i) / std::max(num_values_ - 1, 1);
        const double part = std::clamp((values_[i] - low_) / (high_ - low_), 0.0, 1.0);
        const QPointF point(x, height() - 3 - part * (height() - 6));
        gap ? path.moveTo(point) : path.lineTo(point);
        gap = false;
    }
    painter.setPen(QPen(theme().color(role_), 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

}  // namespace kinescope::ui
