#pragma once

#include "ui/models/run_model.h"
#include "ui/widgets/plots/precision_timeline.h"

namespace kinescope::ui {

/// The rows of the precision timeline: one per component, then one for each of the last repaired sites.
QList<PrecisionRow> precisionRows(const RunFacts& facts);

/// Why a component uses its precision: the engine's text in English, otherwise a text generated from the values.
QString reasonOf(const ComponentPolicy& part);
/// Why a device uses its precision.
QString reasonOf(const DeviceInfo& device);

/// The positions of repairs on the phase axis.
QList<PhaseMoment> repairMoments(const RunFacts& facts);

}  // namespace kinescope::ui
