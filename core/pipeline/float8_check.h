#pragma once

#include <vector>

#include "core/numerics/detectors.h"
#include "core/weights/float8_notes.h"

namespace kinescope {

/// Detector S10: returns a finding for each weight that float8 would damage. A finding about a weight that the loader
/// kept in a wider dtype names that dtype.
std::vector<Finding> check_float8(const std::vector<Float8Note>& weights);

}  // namespace kinescope
