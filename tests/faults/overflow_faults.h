#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Runs a model in which values of a component overflow in float16 but not in float32. The expected place and frames
/// come from a float32 run with every op watched. Throws NothingDrawn.
Outcome run_overflow(const Outcome& outcome, const Family& family, const std::string& component, Draw& draw,
                     const std::filesystem::path& folder);
/// Runs a model with an enlarged prediction, so that the latents grow until the first projection overflows. Throws
/// NothingDrawn.
Outcome run_growth(const Outcome& outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
