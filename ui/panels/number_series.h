#pragma once

#include "ui/models/numbers_model.h"
#include "ui/widgets/plot_view.h"

namespace kinescope::ui {

/// One plot's look and lines, made from the points of a run. Steps count from 1.
struct PlotContent {
    PlotSpec spec;
    QList<QPointF> first;
    QList<QPointF> second;
    QList<DiscardedPoint> discarded;
    QString value;  ///< the newest, in the header
    QString remark;
    ColorRole role = ColorRole::text;
};

PlotContent peakContent(const NumbersModel& numbers);
PlotContent headroomContent(const NumbersModel& numbers);
PlotContent spreadContent(const NumbersModel& numbers);
/// Counts for each step from 1 on; -1 where nothing was measured.
QList<qint64> nonFiniteCounts(const NumbersModel& numbers);

/// Stops from one to the largest number of a type: 16 for fp16, 128 for bf16 and float32.
double stopsOf(std::string_view dtype);

}  // namespace kinescope::ui
