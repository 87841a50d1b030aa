#include "ui/widgets/plot_header.h"

#include <QPainter>

namespace kinescope::ui {

double plotHeaderHeight(const Theme& theme) {
    return QFontMetricsF(theme.font(Type::caption)).height() + 8;
}

namespace {

QFont titleFont(const Theme& theme) {
    QFont font = theme.font(Type::caption);
    font.setWeight(QFont::Medium);
    return font;
}

}  // namespace

double plotTitleWidth(const Theme& theme, const QString& title) {
    return QFontMetricsF(titleFont(theme)).horizontalAdvance(title);
}

void paintPlotHeader(QPainter& painter, const Theme& theme, const PlotHeader& header, double width) {
    QFont plain = theme.font(Type::caption);
    QFont strong = plain;
    strong.setWeight(QFont::DemiBold);
    double right = width;
    const auto put = [&](const QString& words, const QFont& font, ColorRole role, Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        painter.drawText(QRectF(0, 0, right, plotHeaderHeight(theme) - 4), side | Qt::AlignVCenter, words);
        return QFontMetricsF(font).horizontalAdvance(words);
    };
    if (!header.value.isEmpty()) right -= put(header.value, strong, header.value_role, Qt::AlignRight) + 8;
    const QString name =
        QFontMetricsF(titleFont(theme)).elidedText(header.title, Qt::ElideRight, right - header.help_width);
    const double title = put(name, titleFont(theme), ColorRole::text2, Qt::AlignLeft);
    const QString remark =
        QFontMetricsF(plain).elidedText(header.remark, Qt::ElideRight, right - title - header.help_width - 12);
    if (!remark.isEmpty()) put(remark, plain, ColorRole::text3, Qt::AlignRight);
}

}  // namespace kinescope::ui
