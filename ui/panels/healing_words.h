#pragma once

#include <QString>

#include "ui/models/run_model.h"

namespace kinescope::ui {

/// Describes what the guard is doing now: "Healing step 3". Empty if it is not healing.
QString healingNowText(const RunFacts& facts);

/// Describes what the guard did in a finished run: "Healed twice, 0.3 s". Empty if no step was healed.
QString healedText(const RunFacts& facts);

}  // namespace kinescope::ui
