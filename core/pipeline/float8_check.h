#pragma once

#include <vector>

#include "core/numerics/detectors.h"
#include "core/weights/float8_notes.h"

namespace kinescope {

/// Runs detector S10: returns a finding for each weight that float8 would damage. If the loader kept the weight in a
/// wider dtype, the finding names that dtype.
std::vector<Finding> check_float8(const std::vector<Float8Note>& weights);

}  // namespace kinescope
