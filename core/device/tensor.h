#pragma once

// The only header that names Torch's types; all other headers include it. The .cpp files may include ATen directly.
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace kinescope {

using Tensor = at::Tensor;
using Dtype = at::ScalarType;
using Device = at::Device;

}  // namespace kinescope
