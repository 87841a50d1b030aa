#pragma once

#include <functional>
#include <vector>

#include "core/api/file_check.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Scans every value of a checkpoint. Reports tensors with NaN or infinity, and float8 tensors that a cast without a
/// scale has saturated. Calls `go_on` with the size of each tensor in bytes after scanning it. If `go_on` returns
/// false, stops and returns the faults found so far.
std::vector<WeightFault> check_weights(const CheckpointReader& reader, const std::function<bool(std::int64_t)>& go_on);

}  // namespace kinescope
