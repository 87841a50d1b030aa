#pragma once

#include <memory>
#include <vector>

#include "core/device/tensor.h"

namespace c10 {
struct Event;
}

namespace kinescope {

/// Returns a tensor on a device; a copy, unless it is there already. Does not wait for a CUDA device if the tensor is
/// on the host.
Tensor sent_to(const Tensor& tensor, const Device& device);

/// Contiguous copies of tensors on the host. A CUDA device makes them after the work that it was given before, while
/// the program continues. Host tensors are not copied; undefined tensors stay undefined. All CUDA tensors are on one
/// device.
class HostCopies {
public:
    HostCopies() = default;
    explicit HostCopies(const std::vector<Tensor>& tensors);

    /// Returns the copies, in the order of the tensors. Waits until they are complete. Any thread may call this.
    const std::vector<Tensor>& wait() const;

private:
    std::vector<Tensor> copies_;
    std::shared_ptr<c10::Event> complete_;  ///< null without tensors on a CUDA device
    Device device_ = at::kCPU;              ///< of the event
};

/// Returns contiguous copies of the tensors on the host. Waits at most once for a CUDA device, regardless of the number
/// of tensors on it. Host tensors are not copied; undefined tensors stay undefined.
std::vector<Tensor> fetched(const std::vector<Tensor>& tensors);

}  // namespace kinescope
