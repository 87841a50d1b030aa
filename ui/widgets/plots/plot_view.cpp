#include "ui/widgets/plots/plot_view.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets/plots/plot_labels.h"

namespace kinescope::ui {

namespace {

constexpr double kLineWidth = 1.75;

double inRange(const PlotSpec& spec, double value) {
    return std::clamp(value, spec.y_min, spec.y_max);
}

std::optional<double> valueAt(const QList<QPointF>& points, int step) {
    for (const QPointF& point : points) {
        if (static_cast<int>(std::lround(point.x())) == step) return point.y();
    }
    return std::nullopt;
}

}  // namespace

QList<QPointF> decimated(const QList<QPointF>& points) {
    QList<QPointF> kept;
    for (qsizetype begin = 0; begin < points.size();) {
        const double column = std::floor(points[begin].x());
        qsizetype end = begin + 1;
        while (end < points.size() && std::floor(points[end].x()) == column) ++end;
        const auto [low, high] = std::minmax_element(points.begin() + begin, points.begin() + end,
                                                     [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
        std::array<qsizetype, 4> chosen{begin, low - points.begin(), high - points.begin(), end - 1};
        std::sort(chosen.begin(), chosen.end());
        const auto distinct = std::unique(chosen.begin(), chosen.end());
        for (auto at = chosen.begin(); at != distinct; ++at) kept.append(points[*at]);
        begin = end;
    }
    return kept;
}

PlotView::PlotView(const Theme& theme, QWidget* parent) : StepWidget(theme, parent) {}

void PlotView::setSpec(const PlotSpec& spec) {
    spec_ = spec;
    if (spec_.axis == PlotSpec::Axis::log2) spec_.y_min = std::max(spec_.y_min, 1e-30);
    if (!(spec_.y_max > spec_.y_min)) spec_.y_max = spec_.y_min * 2 + 1;
    QStringList labels;
    for (const PlotTick& tick : spec_.ticks) labels << tick.label;
    setAxisLabels(labels);
    update();
}

void PlotView::setSeries(int index, const QList<QPointF>& points) {
    if (index < 0 || index >= kMaxSeries) return;
    QList<QPointF>& kept = points_[static_cast<std::size_t>(index)];
    kept.clear();
    for (const QPointF& point : points) {
        if (std::isfinite(point.x()) && std::isfinite(point.y())) kept.append(point);
    }
    if (index == 0 && !kept.isEmpty()) setValueText(describeStep(static_cast<int>(std::lround(kept.last().x()))));
    update();
}

void PlotView::setDiscarded(const QList<DiscardedPoint>& points) {
    discarded_ = points;
    update();
}

void PlotView::clear() {
    for (auto& points : points_) points.clear();
    discarded_.clear();
    setRepairedSteps({});
    setValueText({});
}

QRectF PlotView::plotArea() const {
    const double top = plotHeaderHeight(theme()) + 4;
    return QRectF(labelWidth(), top, std::max(width() - labelWidth() - 4, 1.0), std::max(height() - top - 8, 1.0));
}

double PlotView::yOf(double value) const {
    const QRectF area = plotArea();
    const double v = inRange(spec_, value);
    const double part = spec_.axis == PlotSpec::Axis::log2
                            ? std::log2(v / spec_.y_min) / std::log2(spec_.y_max / spec_.y_min)
                            : (v - spec_.y_min) / (spec_.y_max - spec_.y_min);
    return area.bottom() - part * area.height();
}

QString PlotView::describeStep(int step) const {
    const auto value = valueAt(points_[0], step);
    if (!value) return {};
    const QString number = QLocale().toString(*value, 'g', 4);
    return tr("%1, step %2: %3", "plot, step, value")
        .arg(header().title)
        .arg(step)
        .arg(spec_.unit.isEmpty() ? number : number + QLatin1Char(' ') + spec_.unit);
}

PlotTable PlotView::table() const {
    const bool two = !points_[1].isEmpty();
    PlotTable table;
    table.columns << tr("Step") << spec_.series_names.value(0, header().title);
    if (two) table.columns << spec_.series_names.value(1);
    for (const QPointF& point : points_[0]) {
        const int step = static_cast<int>(std::lround(point.x()));
        QStringList row{QString::number(step), QLocale().toString(point.y(), 'g', 6)};
        if (two) {
            const auto other = valueAt(points_[1], step);
            row << (other ? QLocale().toString(*other, 'g', 6) : QString());
        }
        table.rows << row;
    }
    return table;
}

// ---- Painting ----

void PlotView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    paintPlotHeader(painter, theme(), header(), headerWidth());
    paintFocus(painter, plotArea().adjusted(-3, -3, 3, 3), 6);
    paintBackground(painter);
    paintLines(painter);
    paintForeground(painter);
}

void PlotView::paintBackground(QPainter& painter) const {
    const QRectF area = plotArea();
    for (const PlotBand& band : spec_.bands) {
        QColor ground = theme().color(band.role);
        ground.setAlphaF(0.12F);
        painter.fillRect(QRectF(QPointF(area.left(), yOf(band.to)), QPointF(area.right(), yOf(band.from))), ground);
    }
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    double above =
        area.bottom() + 2 * metrics.height();  // y of the previous label; labels that would overlap it are omitted
    for (const PlotTick& tick : spec_.ticks) {
        const double y = std::round(yOf(tick.value)) + 0.5;
        painter.setPen(QPen(theme().color(ColorRole::line), 1));
        painter.drawLine(QLineF(area.left(), y, area.right(), y));
        if (above - y < metrics.height() * 0.9) continue;
        painter.setPen(theme().color(ColorRole::text3));
        painter.drawText(QRectF(0, y - metrics.height() / 2, labelWidth() - kLabelGap, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
        above = y;
    }
    paintFill(painter, area);
    if (spec_.limit) {
        QPen pen(theme().color(ColorRole::error), 1);
        pen.setDashPattern({5, 4});
        painter.setPen(pen);
        const double y = std::round(yOf(*spec_.limit)) + 0.5;
        painter.drawLine(QLineF(area.left(), y, area.right(), y));
    }
    paintRepairs(painter, area);
}

void PlotView::paintFill(QPainter& painter, const QRectF& area) const {
    const QList<QPointF>& points = points_[0];
    if (spec_.fill == PlotSpec::Fill::none || points.size() < 2) return;
    QPainterPath path(QPointF(xOf(points.first().x()), area.bottom()));
    for (const QPointF& point : points) path.lineTo(xOf(point.x()), yOf(point.y()));
    path.lineTo(xOf(points.last().x()), area.bottom());
    QLinearGradient gradient(area.topLeft(), area.bottomLeft());
    QColor color = theme().series(spec_.first_color);
    color.setAlphaF(0.34F);
    gradient.setColorAt(0, color);
    color.setAlphaF(0.02F);
    gradient.setColorAt(1, color);
    painter.fillPath(path, gradient);
}

void PlotView::paintLines(QPainter& painter) const {
    painter.save();
    painter.setClipRect(plotArea());
    for (int i = 0; i < kMaxSeries; ++i) {
        QPen pen(theme().series(spec_.first_color + i), kLineWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
        if (i == 1) pen.setDashPattern({4, 2.5});
        painter.setPen(pen);
        QList<QPointF> line;
        line.reserve(series(i).size());
        for (const QPointF& point : series(i)) line.append({xOf(point.x()), yOf(point.y())});
        painter.drawPolyline(QPolygonF(decimated(line)));
    }
    painter.restore();
}

void PlotView::paintForeground(QPainter& painter) const {
    const QRectF area = plotArea();
    painter.setFont(theme().font(Type::caption));
    if (!spec_.note.isEmpty()) {
        painter.setPen(theme().color(ColorRole::text3));
        const double y = spec_.bands.isEmpty() ? area.bottom() : yOf(spec_.bands.first().to);
        painter.drawText(QRectF(area.left(), y - 24, area.width() - 4, 22), Qt::AlignRight | Qt::AlignBottom,
                         spec_.note);
    }
    for (int i = 0; i < kMaxSeries; ++i) {
        if (series(i).isEmpty()) continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().series(spec_.first_color + i));
        painter.drawEllipse(QPointF(xOf(series(i).last().x()), yOf(series(i).last().y())), 3, 3);
    }
    paintNames(painter);
    paintDiscarded(painter);
    paintCursor(painter, area);
    const auto marked = valueAt(points_[0], cursorStep());
    if (marked) {
        painter.setPen(QPen(theme().color(ColorRole::surface), 1.5));
        painter.setBrush(theme().series(spec_.first_color));
        painter.drawEllipse(QPointF(xOf(cursorStep()), yOf(*marked)), 4, 4);
    }
}

void PlotView::paintNames(QPainter& painter) const {
    if (spec_.series_names.size() < kMaxSeries || series(0).isEmpty() || series(1).isEmpty()) return;
    const QFontMetricsF metrics(painter.font());
    std::array<double, kMaxSeries> ends{};
    double wide = 0;
    for (int i = 0; i < kMaxSeries; ++i) {
        ends[static_cast<std::size_t>(i)] = yOf(series(i).last().y());
        wide = std::max(wide, metrics.horizontalAdvance(spec_.series_names[i]));
    }
    const double end = std::max(xOf(series(0).last().x()), xOf(series(1).last().x())) + 8;
    const NameRoom room = end + wide <= plotArea().right() ? NameRoom::behind : NameRoom::none;
    const auto middles = nameCenters(ends, room, {metrics.ascent(), metrics.descent()});
    for (int i = 0; i < kMaxSeries; ++i) {
        const QString& name = spec_.series_names[i];
        const double x = room == NameRoom::behind ? end : plotArea().right() - metrics.horizontalAdvance(name);
        painter.setPen(theme().series(spec_.first_color + i));
        painter.drawText(QPointF(x, middles[static_cast<std::size_t>(i)] + metrics.ascent() / 2 - 1), name);
    }
}

void PlotView::paintDiscarded(QPainter& painter) const {
    const QColor red = theme().color(ColorRole::error);
    const QFontMetricsF metrics(painter.font());
    for (const DiscardedPoint& point : discarded_) {
        const QPointF ring(xOf(point.step), yOf(point.value));
        if (const auto redone = valueAt(points_[0], point.step)) {
            const QPointF dot(ring.x(), yOf(*redone));
            painter.setPen(QPen(theme().series(spec_.first_color), 1));
            painter.drawLine(ring, dot);
            painter.setBrush(theme().series(spec_.first_color));
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(dot, 3.5, 3.5);
        }
        painter.setPen(QPen(red, 1.75));
        painter.setBrush(theme().color(ColorRole::surface));
        painter.drawEllipse(ring, 4, 4);
        const double wide = metrics.horizontalAdvance(point.label);
        const bool left = ring.x() - 10 - wide > plotArea().left();
        painter.drawText(QPointF(left ? ring.x() - 10 - wide : ring.x() + 10,
                                 ringLabelBaseline(ring.y(), plotArea().top(), plotArea().bottom(),
                                                   {metrics.ascent(), metrics.descent()})),
                         point.label);
    }
}

}  // namespace kinescope::ui
