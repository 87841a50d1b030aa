#pragma once

#include <filesystem>
#include <string>

#include "tests/faults/families.h"

namespace kinescope::faults {

struct CleanOutcome {
    std::string family;
    std::string words;  ///< which run it was
    std::string alarm;  ///< the first act of the guard, a warning too; empty: none, as it must be
};

/// The `number`th run without a fault: dtypes, prompts and seeds take turns, and so do ordinary videos, night scenes,
/// flat colours, bright scenes and fades to black.
CleanOutcome run_clean(int number, const Family& family, const std::filesystem::path& folder);

}  // namespace kinescope::faults
