#pragma once

#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// Returns a copy of a host tensor on a device. Does not wait for a CUDA device.
Tensor sent_to(const Tensor& host, const Device& device);

/// Returns contiguous copies of the tensors on the host. Waits once for a CUDA device, regardless of the number of
/// tensors on it. Host tensors are not copied; undefined tensors stay undefined.
std::vector<Tensor> fetched(const std::vector<Tensor>& tensors);

}  // namespace kinescope
