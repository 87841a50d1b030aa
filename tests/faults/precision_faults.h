#pragma once

#include <filesystem>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Weights that float32 holds and 16 bits do not: a pair whose product stays what it was, values among others that are
/// far smaller, a whole weight that is smaller or larger, or an offset that the next layer takes out again. The run in
/// 16 bits must come close to float32, or say that it did not. Throws NothingDrawn.
Outcome run_precision_fault(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
