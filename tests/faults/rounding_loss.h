#pragma once

#include <iosfwd>
#include <vector>

#include "tests/faults/families.h"

namespace kinescope::faults {

/// Prints what rounding alone costs each family in bfloat16 and float16. Returns false if a run has less than
/// kHealedDb: below it, the campaign cannot tell a fault from rounding.
bool measure_rounding(const std::vector<Family>& families, int num_seeds, std::ostream& out);

}  // namespace kinescope::faults
