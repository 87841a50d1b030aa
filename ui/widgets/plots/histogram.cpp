#include "ui/widgets/plots/histogram.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "ui/widgets/plots/plot_ticks.h"

namespace kinescope::ui {

Histogram::Histogram(const Theme& theme, QWidget* parent) : PlotWidget(theme, parent) {}

void Histogram::setCounts(const QList<qint64>& counts, double low, double high, std::optional<double> reference_std) {
    counts_ = counts;
    low_ = low;
    high_ = high;
    reference_std_ = reference_std;
    const bool any = !counts.isEmpty() && high > low;
    setValue(any ? tr("%1 … %2").arg(QLocale().toString(low, 'g', 2), QLocale().toString(high, 'g', 2)) : QString());
    setValueText(header().value);
}

void Histogram::setSecond(const QList<qint64>& counts) {
    second_ = counts.size() == counts_.size() ? counts : QList<qint64>();
    update();
}

qint64 Histogram::most() const {
    qint64 found = 0;
    for (const QList<qint64>* counts : {&counts_, &second_})
        for (const qint64 count : *counts) found = std::max(found, count);
    return found;
}

void Histogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    paintPlotHeader(painter, theme(), header(), width());
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    const double top = plotHeaderHeight(theme()) + 4;
    const QRectF area(2, top, width() - 4.0, std::max(height() - top - metrics.height() - 4, 1.0));
    painter.setPen(QPen(theme().color(ColorRole::line), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const qint64 most = this->most();
    if (counts_.isEmpty() || most <= 0 || !(high_ > low_)) return;

    const double per_count = area.height() * 0.94 / std::max(static_cast<double>(most), curvePeak());
    const double wide = area.width() / static_cast<double>(counts_.size());
    QColor bars = theme().series(0);
    bars.setAlphaF(0.8F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bars);
    for (qsizetype i = 0; i < counts_.size(); ++i) {
        if (counts_[i] <= 0) continue;
        const double high = std::max(static_cast<double>(counts_[i]) * per_count, 1.0);
        const double left = area.left() + static_cast<double>(i) * wide;
        painter.drawRoundedRect(QRectF(left + 0.75, area.bottom() - high, std::max(wide - 1.5, 0.5), high), 1.5, 1.5);
    }
    paintCurve(painter, area, per_count);
    paintSecond(painter, area, per_count);
    painter.setPen(theme().color(ColorRole::text3));
    for (const PlotTick& tick : linearTicks(low_, high_)) {
        const double x = area.left() + (tick.value - low_) / (high_ - low_) * area.width();
        const double half = metrics.horizontalAdvance(tick.label) / 2;
        const double left = std::clamp(x - half, 0.0, width() - 2 * half);
        painter.drawText(QRectF(left, area.bottom() + 3, 2 * half + 1, metrics.height()), Qt::AlignLeft, tick.label);
    }
}

void Histogram::paintSecond(QPainter& painter, const QRectF& area, double per_count) const {
    if (second_.isEmpty()) return;
    const double wide = area.width() / static_cast<double>(second_.size());
    QPolygonF outline;
    for (qsizetype i = 0; i < second_.size(); ++i) {
        const double top = area.bottom() - static_cast<double>(second_[i]) * per_count;
        const double left = area.left() + static_cast<double>(i) * wide;
        outline << QPointF(left, top) << QPointF(left + wide, top);
    }
    painter.setPen(QPen(theme().series(1), 1.75));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(outline);
}

double Histogram::curvePeak() const {
    if (!reference_std_ || !(*reference_std_ > 0)) return 0;
    const double total = static_cast<double>(std::accumulate(counts_.begin(), counts_.end(), qint64{0}));
    const double bin = (high_ - low_) / static_cast<double>(counts_.size());
    return total * bin / (*reference_std_ * std::sqrt(2 * std::numbers::pi));
}

void Histogram::paintCurve(QPainter& painter, const QRectF& area, double per_count) const {
    const double peak = curvePeak() * per_count;
    if (peak <= 0) return;
    QPolygonF curve;
    for (double x = 0; x <= area.width(); x += 2) {
        const double z = (low_ + x / area.width() * (high_ - low_)) / *reference_std_;
        curve << QPointF(area.left() + x, area.bottom() - peak * std::exp(-z * z / 2));
    }
    QPen pen(theme().color(ColorRole::text2), 1.25);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(curve);
}

}  // namespace kinescope::ui
