#pragma once

#include <QString>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// The guard changes how something computes in this run: not a report, a plain repetition, an override of an earlier
/// run, or the end.
bool isRepair(GuardAction action);
/// The step that showed the fault is discarded and runs again.
bool runsAgain(GuardAction action);
/// `later` belongs to the same step as `earlier`: another attempt at the fault that `earlier` tried to repair.
bool isSameStep(const GuardActed& earlier, const GuardActed& later);

/// What a detector saw: "largest value 39810, 61 % of the fp16 range".
QString foundText(const Sentence& found);

/// How the place computes after a repair, inside of a sentence: "in float32", "scaled, in fp16".
QString repairedTo(const GuardActed& action);

/// The same for the bar of a timeline: "float32", "fp16, scaled".
QString precisionLabel(const std::string& precision);

}  // namespace kinescope::ui
