#include "ui/widgets/plots/plot_header.h"

#include <QPainter>
#include <QWidget>
#include <QtMath>

namespace kinescope::ui {

double plotHeaderHeight(const Theme& theme) {
    return QFontMetricsF(theme.font(Type::caption)).height() + 8;
}

namespace {

constexpr double kGap = 8;         ///< px before the value
constexpr double kRemarkGap = 12;  ///< px before the remark

QFont titleFont(const Theme& theme) {
    QFont font = theme.font(Type::caption);
    font.setWeight(QFont::Medium);
    return font;
}

QFont valueFont(const Theme& theme) {
    QFont font = theme.font(Type::caption);
    font.setWeight(QFont::DemiBold);
    return font;
}

/// Returns the x coordinate of the left edge of the value. Title, button and remark must end before it.
double valueLeft(const Theme& theme, const PlotHeader& header, double width) {
    if (header.value.isEmpty()) return width;
    return width - QFontMetricsF(valueFont(theme)).horizontalAdvance(header.value) - kGap;
}

QString shownTitle(const Theme& theme, const PlotHeader& header, double width) {
    const double room = valueLeft(theme, header, width) - header.help_width;
    const QFontMetricsF metrics(titleFont(theme));
    const bool fits = header.short_title.isEmpty() || metrics.horizontalAdvance(header.title) <= room;
    return metrics.elidedText(fits ? header.title : header.short_title, Qt::ElideRight, room);
}

}  // namespace

double plotTitleWidth(const Theme& theme, const PlotHeader& header, double width) {
    return QFontMetricsF(titleFont(theme)).horizontalAdvance(shownTitle(theme, header, width));
}

void placePlotHelp(QWidget& button, const Theme& theme, PlotHeader& header, double width) {
    button.adjustSize();
    header.help_width = button.width() + 4;
    const double height = plotHeaderHeight(theme) - 4;
    button.move(qCeil(plotTitleWidth(theme, header, width)) + 4, qRound((height - button.height()) / 2));
}

void paintPlotHeader(QPainter& painter, const Theme& theme, const PlotHeader& header, double width) {
    const auto put = [&](const QString& text, const QFont& font, ColorRole role, double right, Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(theme.color(role));
        painter.drawText(QRectF(0, 0, right, plotHeaderHeight(theme) - 4), side | Qt::AlignVCenter, text);
    };
    const double right = valueLeft(theme, header, width);
    const double left = plotTitleWidth(theme, header, width) + header.help_width + kRemarkGap;
    const QFont plain = theme.font(Type::caption);
    const QString remark = QFontMetricsF(plain).elidedText(header.remark, Qt::ElideRight, right - left);
    put(header.value, valueFont(theme), header.value_role, width, Qt::AlignRight);
    put(shownTitle(theme, header, width), titleFont(theme), ColorRole::text2, right, Qt::AlignLeft);
    put(remark, plain, ColorRole::text3, right, Qt::AlignRight);
}

}  // namespace kinescope::ui
