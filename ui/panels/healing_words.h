#pragma once

#include <QString>

#include "ui/models/run_model.h"

namespace kinescope::ui {

/// What the guard is doing at this moment: "Healing step 3". Empty if it is doing nothing.
QString healingNowText(const RunFacts& facts);

/// What it did in a finished run: "Healed twice, 0.3 s". Empty if nothing had to be healed.
QString healedText(const RunFacts& facts);

}  // namespace kinescope::ui
