#pragma once

#include "core/device/tensor.h"

namespace kinescope {

/// How one component holds its weights and computes: the part of its policy that layers need.
struct Precision {
    Device device = Device(at::kCPU);
    Dtype storage = at::kFloat;  ///< of Linear and convolution weights in memory
    Dtype compute = at::kFloat;  ///< of matrix products and convolutions; norms, gates and tables are float32 anyway
};

}  // namespace kinescope
