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
/// Headroom in fp16. For other types, whose limits are never near: the largest ratio of a site's peak to its usual
/// peak.
PlotContent headroomContent(const NumbersModel& numbers);
PlotContent spreadContent(const NumbersModel& numbers);
/// Number of non-finite values per step, from step 1; -1 if not measured.
QList<qint64> nonFiniteCounts(const NumbersModel& numbers);

}  // namespace kinescope::ui
