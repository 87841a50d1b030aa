#pragma once

#include <QString>

#include "ui/widgets/theme.h"

class QPainter;
class QWidget;

namespace kinescope::ui {

/// The line above a plot: title at the left; remark and newest value at the right.
struct PlotHeader {
    QString title;
    QString short_title;  ///< used where the title does not fit; empty: the title is elided
    QString remark;
    QString value;
    ColorRole value_role = ColorRole::text;
    double help_width = 0;  ///< px reserved after the title for a button
};

double plotHeaderHeight(const Theme& theme);
/// Returns the width of the title as painted in a header of `width` px. The title is shortened if value and button need
/// the space.
double plotTitleWidth(const Theme& theme, const PlotHeader& header, double width);
/// Moves the "?" button to the end of the title and reserves space for it.
void placePlotHelp(QWidget& button, const Theme& theme, PlotHeader& header, double width);
void paintPlotHeader(QPainter& painter, const Theme& theme, const PlotHeader& header, double width);

}  // namespace kinescope::ui
