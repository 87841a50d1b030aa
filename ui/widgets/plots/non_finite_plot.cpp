#include "ui/widgets/plots/non_finite_plot.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>

namespace kinescope::ui {

NonFinitePlot::NonFinitePlot(const Theme& theme, QWidget* parent) : StepWidget(theme, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NonFinitePlot::setCounts(const QList<qint64>& counts) {
    counts_ = counts;
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
    const qint64 count = counts_.value(step - 1, -1);
    if (count < 0) return {};
    return tr("%1, step %2: %3", "plot, step, value").arg(header().title).arg(step).arg(QLocale().toString(count));
}

PlotTable NonFinitePlot::table() const {
    PlotTable table;
    table.columns << tr("Step") << header().title;
    for (qsizetype i = 0; i < counts_.size(); ++i) {
        if (counts_[i] >= 0) table.rows << QStringList{QString::number(i + 1), QLocale().toString(counts_[i])};
    }
    return table;
}

void NonFinitePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    paintPlotHeader(painter, theme(), header(), width());
    const QRectF area = plotArea();
    const double line = area.bottom() - 4;
    painter.setPen(QPen(theme().color(ColorRole::line), 1));
    painter.drawLine(QLineF(area.left(), line, area.right(), line));
    painter.setFont(theme().font(Type::caption));
    const double wide = std::clamp(area.width() / numSteps() - 2, 2.0, 8.0);
    for (qsizetype i = 0; i < counts_.size() && i < numSteps(); ++i) {
        const double x = xOf(static_cast<double>(i) + 1);
        painter.setPen(Qt::NoPen);
        if (counts_[i] == 0) {
            painter.setBrush(theme().color(ColorRole::ok));
            painter.drawEllipse(QPointF(x, line), 1.8, 1.8);
        } else if (counts_[i] > 0) {
            painter.setBrush(theme().color(ColorRole::error));
            painter.drawRect(QRectF(x - wide / 2, area.top(), wide, line - area.top()));
            painter.setPen(theme().color(ColorRole::error));
            painter.drawText(QPointF(x + wide / 2 + 4, line - 3), QLocale().toString(counts_[i]));
        }
    }
    paintCursor(painter, area);
    paintFocus(painter, plotArea().adjusted(-3, -3, 3, 3), 6);
}

}  // namespace kinescope::ui
