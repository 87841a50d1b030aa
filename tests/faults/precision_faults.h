#pragma once

#include <filesystem>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Runs a model with weights that 16 bits cannot represent well: a pair whose product is unchanged, some values that
/// are much smaller than the others, a whole weight that is smaller or larger, or an offset that the next layer
/// removes. The run in 16 bits must come close to float32, or report that it does not. Throws NothingDrawn.
Outcome run_precision_fault(Outcome outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
