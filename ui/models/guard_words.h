#pragma once

#include <QString>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// The guard changed how something computes: not a remark, and not the end.
bool isRepair(const GuardActed& action);

/// What a detector saw: "largest value 39810, 61 % of the fp16 range".
QString foundText(const Sentence& found);

/// How the place computes after a repair, inside of a sentence: "in float32", "scaled, in fp16".
QString repairedTo(const GuardActed& action);

/// The same for the bar of a timeline: "float32", "fp16, scaled".
QString precisionLabel(const std::string& precision);

}  // namespace kinescope::ui
