#pragma once

// The only header that names Torch's types. Other headers include it; .cpp files may also include ATen.
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace kinescope {

using Tensor = at::Tensor;
using Dtype = at::ScalarType;
using Device = at::Device;

}  // namespace kinescope
