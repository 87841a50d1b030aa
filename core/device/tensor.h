#pragma once

// The one place that names Torch's types. Headers include this; .cpp files may include ATen as well.
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace kinescope {

using Tensor = at::Tensor;
using Dtype = at::ScalarType;
using Device = at::Device;

}  // namespace kinescope
