#pragma once

#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// A tensor of the host on a device. Does not wait for a CUDA device.
Tensor sent_to(const Tensor& host, const Device& device);

/// The tensors on the host, contiguous. Waits once for a CUDA device, regardless of the number of tensors on it.
/// Tensors of the host are not copied; undefined ones stay undefined.
std::vector<Tensor> fetched(const std::vector<Tensor>& tensors);

}  // namespace kinescope
