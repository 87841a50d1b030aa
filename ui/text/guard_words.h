#pragma once

#include <QString>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// Returns true if the guard discards the faulty attempt and repeats the step.
bool runsAgain(GuardAction action);
/// Returns true if both actions belong to the same step, so that `later` is a further attempt.
bool isSameStep(const GuardActed& earlier, const GuardActed& later);

/// Describes a finding of a detector: "largest value 39810, 61 % of the fp16 range".
QString foundText(const LocalizableMessage& found);

/// Describes the precision of a site after a repair, for use in a sentence: "in float32", "scaled, in fp16".
QString repairedTo(const GuardActed& action);

/// Returns a precision as a label: "float32", "fp16, scaled".
QString precisionLabel(const ComputePrecision& precision);
/// Returns a compute mode as a label. Empty for a mode without a precision.
QString precisionLabel(const ComputeMode& mode);

}  // namespace kinescope::ui
