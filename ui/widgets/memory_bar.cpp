#include "ui/widgets/memory_bar.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace kinescope::ui {

namespace {

constexpr double kBarHeight = 12;

}  // namespace

MemoryBar::MemoryBar(const Theme& theme, QWidget* parent) : PaintedWidget(theme, QAccessible::Chart, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Memory plan"));
}

void MemoryBar::setParts(const QList<MemoryPart>& parts, qint64 total_bytes) {
    parts_ = parts;
    total_bytes_ = total_bytes;
    QStringList texts;
    for (const MemoryPart& part : parts) texts << part.name + QLatin1Char(' ') + part.amount;
    setValueText(texts.join(QStringLiteral(", ")));
    setToolTip(texts.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

void MemoryBar::setLegend(Legend legend) {
    legend_ = legend;
    updateGeometry();
    update();
}

QSize MemoryBar::sizeHint() const {
    const int line = QFontMetrics(theme().font(Type::caption)).height() + 4;
    const int lines = legend_ == Legend::shown ? static_cast<int>((parts_.size() + 1) / 2) : 0;
    return {280, static_cast<int>(kBarHeight) + (lines > 0 ? 8 + lines * line : 0)};
}

void MemoryBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    begin(painter);
    const QRectF bar(0, 0, width(), kBarHeight);
    QPainterPath shape;
    shape.addRoundedRect(bar, 6, 6);
    painter.fillPath(shape, theme().color(ColorRole::hover));
    painter.save();
    painter.setClipPath(shape);
    double x = 0;
    for (const MemoryPart& part : parts_) {
        if (total_bytes_ <= 0) break;
        const double wide = bar.width() * static_cast<double>(part.bytes) / static_cast<double>(total_bytes_);
        if (part.series != kFreeMemory) {
            painter.fillRect(QRectF(x, 0, std::max(wide - 1.5, 0.5), kBarHeight), theme().series(part.series));
        }
        x += wide;
    }
    painter.restore();
    if (legend_ == Legend::shown) paintLegend(painter);
}

void MemoryBar::paintLegend(QPainter& painter) const {
    painter.setFont(theme().font(Type::caption));
    const QFontMetricsF metrics(painter.font());
    const double column = width() / 2.0;
    for (qsizetype i = 0; i < parts_.size(); ++i) {
        const MemoryPart& part = parts_[i];
        const QRectF cell(i % 2 == 0 ? 0 : column, kBarHeight + 8 + static_cast<double>(i / 2) * (metrics.height() + 4),
                          i % 2 == 0 ? column - 12 : column, metrics.height());
        const QRectF patch(cell.left() + 0.5, cell.center().y() - 4, 8, 8);
        const bool free = part.series == kFreeMemory;
        painter.setPen(free ? QPen(theme().color(ColorRole::edge), 1) : QPen(Qt::NoPen));
        painter.setBrush(free ? theme().color(ColorRole::hover) : theme().series(part.series));
        painter.drawRoundedRect(patch, 2, 2);
        const double room = cell.width() - 14 - metrics.horizontalAdvance(part.amount) - 6;
        painter.setPen(theme().color(ColorRole::text2));
        painter.drawText(cell.adjusted(14, 0, 0, 0), Qt::AlignVCenter,
                         metrics.elidedText(part.name, Qt::ElideRight, room));
        painter.setPen(theme().color(ColorRole::text3));
        painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, part.amount);
    }
}

}  // namespace kinescope::ui
