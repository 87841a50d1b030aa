#pragma once

#include <QSet>

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
/// Returns the headroom plot in fp16. Other types never come close to their limits: for them, returns a plot of the
/// largest ratio of a site's peak to its usual peak.
PlotContent headroomContent(const NumbersModel& numbers);
/// Returns the plot of the op that loses most to rounding. Its line is empty if no rounding was measured.
PlotContent roundingContent(const NumbersModel& numbers);
PlotContent spreadContent(const NumbersModel& numbers);
/// Returns the number of non-finite values for each step from step 1, or -1 for steps that were not measured.
QList<qint64> nonFiniteCounts(const NumbersModel& numbers);
/// Returns the indices of the counts that are only the least number.
QSet<qsizetype> uncountedSteps(const NumbersModel& numbers);

}  // namespace kinescope::ui
