#pragma once

#include "ui/models/run_model.h"
#include "ui/widgets/precision_timeline.h"

namespace kinescope::ui {

/// Who runs in which precision, over the life of a run: a row for each component, then one for each place that the
/// guard repaired last.
QList<PrecisionRow> precisionRows(const RunFacts& facts);

/// When the guard acted, on the axis of the phases.
QList<PhaseMoment> repairMoments(const RunFacts& facts);

}  // namespace kinescope::ui
