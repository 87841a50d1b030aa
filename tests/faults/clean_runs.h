#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/families.h"

namespace kinescope::faults {

struct CleanOutcome {
    std::string family;
    std::string words;  ///< describes the run
    std::string alarm;  ///< the first action or warning of the guard; empty for a run without any
};

/// Runs a model without a fault. `number` selects dtype, prompt, seed and look: ordinary video, night scene, flat
/// color, bright scene or fade to black.
CleanOutcome run_clean(int number, const Family& family, const std::filesystem::path& folder);

}  // namespace kinescope::faults
