#include "ui/widgets/plots/precision_timeline.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/widgets/phase_bar.h"

namespace kinescope::ui {

namespace {

double place(const PhaseAxis& axis, const PhaseMoment& moment) {
    return axis.at(std::clamp(moment.phase, 0, axis.count() - 1), moment.part);
}

}  // namespace

PrecisionTimeline::PrecisionTimeline(const Theme& theme, QWidget* parent)
    : PaintedWidget(theme, QAccessible::Chart, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Precision per component"));
}

void PrecisionTimeline::setPhases(const QList<double>& expected_seconds) {
    expected_seconds_ = expected_seconds;
    update();
}

void PrecisionTimeline::setRows(const QList<PrecisionRow>& rows) {
    rows_ = rows;
    QStringList words;
    for (const PrecisionRow& row : rows) {
        QStringList texts;
        for (const PrecisionSpan& span : row.spans) texts << span.text;
        words << row.name + QStringLiteral(": ") + texts.join(QStringLiteral("; "));
    }
    setValueText(words.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

void PrecisionTimeline::setNow(const PhaseMoment& now) {
    now_ = now;
    update();
}

void PrecisionTimeline::setRepairs(const QList<PhaseMoment>& repairs) {
    repairs_ = repairs;
    update();
}

void PrecisionTimeline::setLabelWidth(int width_px) {
    label_width_ = width_px;
    update();
}

PhaseAxis PrecisionTimeline::axis() const {
    return PhaseAxis(expected_seconds_, {.left = static_cast<double>(label_width_),
                                         .width = static_cast<double>(std::max(width() - label_width_, 0)),
                                         .floor = phaseFloor(theme())});
}

double PrecisionTimeline::rowHeight() const {
    return std::max(24.0, QFontMetricsF(theme().font(Type::caption)).height() + 8);
}

QSize PrecisionTimeline::sizeHint() const {
    return {640, static_cast<int>(8 + rowHeight() * static_cast<double>(std::max<qsizetype>(rows_.size(), 1)))};
}

QRectF PrecisionTimeline::spanRect(const PhaseAxis& phase_axis, int row, const PrecisionSpan& span) const {
    const double from = place(phase_axis, span.from);
    return QRectF(from, 4 + row * rowHeight(), std::max(place(phase_axis, span.to) - from, 2.0), rowHeight() - 4);
}

void PrecisionTimeline::paintEvent(QPaintEvent*) {
    const PhaseAxis phase_axis = axis();
    if (phase_axis.count() == 0) return;
    QPainter painter(this);
    begin(painter);
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    const double now = place(phase_axis, now_);
    for (int row = 0; row < rows_.size(); ++row) {
        painter.setPen(theme().color(ColorRole::text2));
        painter.drawText(QRectF(0, 4 + row * rowHeight(), label_width_ - 8.0, rowHeight() - 4), Qt::AlignVCenter,
                         metrics.elidedText(rows_[row].name, Qt::ElideMiddle, label_width_ - 8.0));
        for (const PrecisionSpan& span : rows_[row].spans) {
            paintSpan(painter, spanRect(phase_axis, row, span), span, now);
        }
    }
    painter.setPen(QPen(theme().color(ColorRole::warn), 1, Qt::DotLine));
    for (const PhaseMoment& repair : repairs_) {
        painter.drawLine(QLineF(place(phase_axis, repair), 0, place(phase_axis, repair), height()));
    }
    painter.setPen(QPen(theme().color(ColorRole::text3), 1));
    painter.drawLine(QLineF(now, 0, now, height()));
}

void PrecisionTimeline::paintSpan(QPainter& painter, const QRectF& where, const PrecisionSpan& span, double now) const {
    const bool ahead = where.left() >= now;
    QColor ground = theme().series(span.series);
    ground.setAlphaF(ahead ? 0.08F : 0.20F);
    QColor edge = theme().series(span.series);
    edge.setAlphaF(0.7F);
    QPen pen(edge, 1);
    if (ahead) pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(ground);
    painter.drawRoundedRect(where.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setPen(theme().color(ColorRole::text));
    const double room = where.width() - 12;
    painter.drawText(where.adjusted(8, 0, 0, 0), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(span.text, Qt::ElideRight, static_cast<int>(room)));
}

bool PrecisionTimeline::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return PaintedWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const PhaseAxis phase_axis = axis();
    for (int row = 0; row < rows_.size() && phase_axis.count() > 0; ++row) {
        for (const PrecisionSpan& span : rows_[row].spans) {
            if (!spanRect(phase_axis, row, span).contains(help->pos())) continue;
            const QString words = span.detail.isEmpty() ? span.text : span.text + QLatin1Char('\n') + span.detail;
            QToolTip::showText(help->globalPos(), words, this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

}  // namespace kinescope::ui
