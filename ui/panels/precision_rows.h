#pragma once

#include "ui/models/run_model.h"
#include "ui/widgets/precision_timeline.h"

namespace kinescope::ui {

/// Who runs in which precision, over the life of a run: a row for each component, then one for each place that the
/// guard repaired last.
QList<PrecisionRow> precisionRows(const RunFacts& facts);

/// Why a part runs as it does: the engine's own line in English, in another language what the values tell.
QString reasonOf(const ComponentPolicy& part);
/// Why a device computes in what it does.
QString reasonOf(const DeviceInfo& device);

/// When the guard acted, on the axis of the phases.
QList<PhaseMoment> repairMoments(const RunFacts& facts);

}  // namespace kinescope::ui
