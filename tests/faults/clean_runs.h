#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/families.h"

namespace kinescope::faults {

struct CleanOutcome {
    std::string family;
    std::string words;  ///< describes the run
    std::string alarm;  ///< the first action or warning of the guard; empty for a good run
};

/// Runs a model without a fault. Dtype, prompt and seed depend on `number`, as does the look: ordinary video, night
/// scene, flat color, bright scene or fade to black.
CleanOutcome run_clean(int number, const Family& family, const std::filesystem::path& folder);

}  // namespace kinescope::faults
