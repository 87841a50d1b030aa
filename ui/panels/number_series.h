#pragma once

#include "ui/models/numbers_model.h"
#include "ui/widgets/plots/plot_view.h"

namespace kinescope::ui {

/// Specification and values of a plot. Steps count from 1.
struct PlotContent {
    PlotSpec spec;
    QList<QPointF> first;
    QList<QPointF> second;
    QList<DiscardedPoint> discarded;
    QString value;  ///< newest value, shown in the header
    QString remark;
    ColorRole role = ColorRole::text;
};

PlotContent peakContent(const NumbersModel& numbers);
PlotContent headroomContent(const NumbersModel& numbers);
PlotContent spreadContent(const NumbersModel& numbers);
/// Number of non-finite values per step, from step 1; -1 if not measured.
QList<qint64> nonFiniteCounts(const NumbersModel& numbers);

/// log2 of the largest value of a type: 16 for float16, 128 for bfloat16 and float32.
double stopsOf(std::string_view dtype);

}  // namespace kinescope::ui
