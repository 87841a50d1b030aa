#pragma once

#include <vector>

#include "core/numerics/detectors.h"
#include "core/weights/float8_notes.h"

namespace kinescope {

/// Detector S10: weights that float8 harms. If the loader kept a weight in a wider dtype, the finding says so.
std::vector<Finding> check_float8(const std::vector<Float8Note>& weights);

}  // namespace kinescope
