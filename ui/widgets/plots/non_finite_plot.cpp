#include "ui/widgets/plots/non_finite_plot.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>

namespace kinescope::ui {

namespace {

constexpr double kBelowBars = 4;  ///< px
constexpr double kCountGap = 4;   ///< px

}  // namespace

NonFinitePlot::NonFinitePlot(const Theme& theme, QWidget* parent) : StepWidget(theme, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NonFinitePlot::setCounts(const QList<qint64>& counts, const QSet<qsizetype>& uncounted) {
    counts_ = counts;
    uncounted_ = uncounted;
    if (!counts.isEmpty()) setValueText(describeStep(static_cast<int>(counts.size())));
    update();
}

QSize NonFinitePlot::sizeHint() const {
    return {360, static_cast<int>(plotHeaderHeight(theme())) + 22};
}

QRectF NonFinitePlot::plotArea() const {
    const double top = plotHeaderHeight(theme());
    return QRectF(labelWidth(), top, std::max(width() - labelWidth() - 4, 1.0), std::max(height() - top - 2, 1.0));
}

QString NonFinitePlot::describeStep(int step) const {
    if (counts_.value(step - 1, -1) < 0) return {};
    return tr("%1, step %2: %3", "plot, step, value").arg(header().title).arg(step).arg(textOf(step - 1));
}

QString NonFinitePlot::textOf(qsizetype index) const {
    return (uncounted_.contains(index) ? QStringLiteral("≥ ") : QString()) + QLocale().toString(counts_[index]);
}

QRectF NonFinitePlot::barOf(qsizetype index) const {
    const QRectF area = plotArea();
    const double wide = std::clamp(area.width() / numSteps() - 2, 2.0, 8.0);
    const double x = xOf(static_cast<double>(index) + 1);
    return {x - wide / 2, area.top(), wide, area.height() - kBelowBars};
}

QList<NonFinitePlot::Label> NonFinitePlot::labels() const {
    const QFontMetricsF metrics(theme().font(Type::caption));
    const qsizetype end = std::min<qsizetype>(counts_.size(), numSteps());
    QList<QRectF> taken;
    for (qsizetype i = 0; i < end; ++i)
        if (counts_[i] > 0) taken << barOf(i);
    QList<Label> labels;
    for (qsizetype i = end - 1; i >= 0; --i) {
        if (counts_[i] <= 0) continue;
        const QString text = textOf(i);
        const QRectF bar = barOf(i);
        const QSizeF size(metrics.horizontalAdvance(text), bar.height());
        for (const double left : {bar.right() + kCountGap, bar.left() - kCountGap - size.width()}) {
            const QRectF place(QPointF(left, bar.top()), size);
            const bool isFree = std::ranges::none_of(taken, [&](const QRectF& each) { return each.intersects(place); });
            if (!isFree || place.left() < plotArea().left() || place.right() > width()) continue;
            taken << place;
            labels << Label{place, text};
            break;
        }
    }
    return labels;
}

PlotTable NonFinitePlot::table() const {
    PlotTable table;
    table.columns << tr("Step") << header().title;
    for (qsizetype i = 0; i < counts_.size(); ++i) {
        if (counts_[i] >= 0) table.rows << QStringList{QString::number(i + 1), textOf(i)};
    }
    return table;
}

void NonFinitePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    paintPlotHeader(painter, theme(), header(), width());
    const QRectF area = plotArea();
    const double line = area.bottom() - kBelowBars;
    painter.setPen(QPen(theme().color(ColorRole::line), 1));
    painter.drawLine(QLineF(area.left(), line, area.right(), line));
    for (qsizetype i = 0; i < counts_.size() && i < numSteps(); ++i) {
        const double x = xOf(static_cast<double>(i) + 1);
        painter.setPen(Qt::NoPen);
        if (counts_[i] == 0) {
            painter.setBrush(theme().color(ColorRole::ok));
            painter.drawEllipse(QPointF(x, line), 1.8, 1.8);
        } else if (counts_[i] > 0) {
            painter.setBrush(theme().color(ColorRole::error));
            painter.drawRect(barOf(i));
        }
    }
    painter.setFont(theme().font(Type::caption));
    painter.setPen(theme().color(ColorRole::error));
    for (const Label& label : labels()) painter.drawText(label.place, Qt::AlignCenter | Qt::TextDontClip, label.text);
    paintCursor(painter, area);
    paintFocus(painter, plotArea().adjusted(-3, -3, 3, 3), 6);
}

}  // namespace kinescope::ui
