#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/draw.h"
#include "tests/faults/families.h"
#include "tests/faults/fault_runs.h"

namespace kinescope::faults {

/// Values of a component leave float16 and stay in float32. What must be reported, and made of it, comes from a float32
/// run in which every op was looked at. Throws NothingDrawn.
Outcome run_overflow(const Outcome& outcome, const Family& family, const std::string& component, Draw& draw,
                     const std::filesystem::path& folder);
/// The prediction becomes larger, so the latents grow, until the first projection cannot hold them. Throws
/// NothingDrawn.
Outcome run_growth(const Outcome& outcome, const Family& family, Draw& draw, const std::filesystem::path& folder);

}  // namespace kinescope::faults
