#pragma once

#include <QString>

#include "ui/widgets/theme.h"

class QPainter;

namespace kinescope::ui {

/// The line above a plot: its name on the left; on the right, a pale remark and the newest value.
struct PlotHeader {
    QString title;
    QString remark;
    QString value;
    ColorRole value_role = ColorRole::text;
    double help_width = 0;  ///< room for a button behind the title
};

double plotHeaderHeight(const Theme& theme);
double plotTitleWidth(const Theme& theme, const QString& title);
void paintPlotHeader(QPainter& painter, const Theme& theme, const PlotHeader& header, double width);

}  // namespace kinescope::ui
