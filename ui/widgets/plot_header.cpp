#include "ui/widgets/plot_header.h"

#include <QPainter>

namespace kinescope::ui {

double plotHeaderHeight(const Theme& theme) {
    return QFontMetricsF(theme.font(Type::caption)).height() + 8;
}

void paintPlotHeader(QPainter& painter, const Theme& theme, const PlotHeader& header, double width) {
    QFont plain = theme.font(Type::caption);
    QFont strong = plain;
    strong.setWeight(QFont::DemiBold);
    QFont medium = plain;
    medium.setWeight(QFont::Medium);
    double right = width;
    const auto put = [&](const QString& words, const QFont& font, ColorRole role, Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        painter.drawText(QRectF(0, 0, right, plotHeaderHeight(theme) - 4), side | Qt::AlignVCenter, words);
        return QFontMetricsF(font).horizontalAdvance(words);
    };
    if (!header.value.isEmpty()) right -= put(header.value, strong, header.value_role, Qt::AlignRight) + 8;
    const QString name = QFontMetricsF(medium).elidedText(header.title, Qt::ElideRight, right);
    const double title = put(name, medium, ColorRole::text2, Qt::AlignLeft);
    const QString remark = QFontMetricsF(plain).elidedText(header.remark, Qt::ElideRight, right - title - 12);
    if (!remark.isEmpty()) put(remark, plain, ColorRole::text3, Qt::AlignRight);
}

}  // namespace kinescope::ui
