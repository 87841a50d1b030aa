#pragma once

#include <QString>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// True if the guard discards the faulty attempt and runs the step again.
bool runsAgain(GuardAction action);
/// True if `later` is a further attempt at the step of `earlier`.
bool isSameStep(const GuardActed& earlier, const GuardActed& later);

/// Describes a finding of a detector: "largest value 39810, 61 % of the fp16 range".
QString foundText(const LocalizableMessage& found);

/// Describes the precision of a site after a repair, for use in a sentence: "in float32", "scaled, in fp16".
QString repairedTo(const GuardActed& action);

/// Returns a precision as a label: "float32", "fp16, scaled".
QString precisionLabel(const ComputePrecision& precision);
/// Returns a mode as a label; empty for a mode without a precision.
QString precisionLabel(const ComputeMode& mode);

}  // namespace kinescope::ui
