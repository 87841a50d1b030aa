#pragma once

#include "ui/models/run_model.h"
#include "ui/widgets/plots/precision_timeline.h"

namespace kinescope::ui {

/// Returns the rows of the precision timeline: one per component, then one for each of the last repaired sites.
QList<PrecisionRow> precisionRows(const RunFacts& facts);

/// Explains why a component uses its precision: the engine's text in English, in other languages a text generated from
/// the values.
QString reasonOf(const ComponentPolicy& part);
/// Explains why a device uses its precision.
QString reasonOf(const DeviceInfo& device);

/// Returns the positions of repairs on the phase axis.
QList<PhaseMoment> repairMoments(const RunFacts& facts);

}  // namespace kinescope::ui
