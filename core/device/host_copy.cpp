#include "core/device/host_copy.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/device/device_fault.h"

namespace kinescope {

namespace {

/// Returns a host tensor of the same shape and dtype that a device can access while the program continues. It is in
/// ordinary memory if no pinned memory is left; copies then block.
Tensor pinned_like(const Tensor& tensor) {
    const auto options = tensor.options().device(at::kCPU);
    try {
        return at::empty(tensor.sizes(), options.pinned_memory(true));
    } catch (const c10::Error& error) {
        if (device_fault(error) != DeviceFault::out_of_memory) throw;
        return at::empty(tensor.sizes(), options);
    }
}

void wait_for(const Device& device) {
    const c10::impl::VirtualGuardImpl guard(device.type());
    guard.synchronizeStream(guard.getStream(device));
}

}  // namespace

Tensor sent_to(const Tensor& host, const Device& device) {
    if (!device.is_cuda()) return host.to(device);
    Tensor pinned = pinned_like(host);
    pinned.copy_(host);
    return pinned.to(device, /*non_blocking=*/true);
}

std::vector<Tensor> fetched(const std::vector<Tensor>& tensors) {
    std::vector<Tensor> copies;
    const Tensor* last = nullptr;
    for (const Tensor& tensor : tensors) {
        if (!tensor.defined() || !tensor.is_cuda()) {
            copies.push_back(tensor.defined() ? tensor.detach().cpu().contiguous() : tensor);
            continue;
        }
        copies.push_back(pinned_like(tensor));
        copies.back().copy_(tensor, /*non_blocking=*/true);
        last = &tensor;
    }
    if (last != nullptr) wait_for(last->device());
    return copies;
}

}  // namespace kinescope
