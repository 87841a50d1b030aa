#pragma once

#include <filesystem>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Runs a model in which a weight contains NaN or infinity. The run must stop before its first step and name the
/// weight.
Outcome run_damaged_weight(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);
/// Runs a model in which the product of two weights overflows float32. The run must stop and report the overflow.
Outcome run_float32_overflow(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
