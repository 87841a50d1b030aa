#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/families.h"

namespace kinescope::faults {

struct CleanOutcome {
    std::string family;
    std::string words;  ///< describes the run
    std::string alarm;  ///< the first act of the guard, warnings included; empty for a good run
};

/// Run `number` without a fault. Dtypes, prompts and seeds alternate, and so do ordinary videos, night scenes, flat
/// colours, bright scenes and fades to black.
CleanOutcome run_clean(int number, const Family& family, const std::filesystem::path& folder);

}  // namespace kinescope::faults
