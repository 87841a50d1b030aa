#pragma once

#include <functional>
#include <vector>

#include "core/api/file_check.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Looks at every number of a checkpoint, and tells of tensors with NaN or Inf, and of float8 that a cast cut off.
/// `go_on` is told the bytes of each tensor behind it; false: stop, with what was found so far.
std::vector<WeightFault> check_weights(const CheckpointReader& reader, const std::function<bool(std::int64_t)>& go_on);

}  // namespace kinescope
