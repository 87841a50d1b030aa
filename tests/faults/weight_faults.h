#pragma once

#include <filesystem>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// One number of a weight is not finite: the run must stop before its first step and name the weight.
Outcome run_damaged_weight(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);
/// Both weights of a pair grow far beyond what a product in float32 can hold: the run must stop and say so.
Outcome run_float32_overflow(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
