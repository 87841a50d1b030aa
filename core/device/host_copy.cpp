#include "core/device/host_copy.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
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

}  // namespace

Tensor sent_to(const Tensor& tensor, const Device& device) {
    if (!device.is_cuda() || !tensor.is_cpu()) return tensor.to(device);
    Tensor pinned = pinned_like(tensor);
    pinned.copy_(tensor);
    return pinned.to(device, /*non_blocking=*/true);
}

HostCopies::HostCopies(const std::vector<Tensor>& tensors) {
    const Tensor* last = nullptr;
    for (const Tensor& tensor : tensors) {
        if (!tensor.defined() || !tensor.is_cuda()) {
            copies_.push_back(tensor.defined() ? tensor.detach().cpu().contiguous() : tensor);
            continue;
        }
        copies_.push_back(pinned_like(tensor));
        copies_.back().copy_(tensor, /*non_blocking=*/true);
        last = &tensor;
    }
    if (last == nullptr) return;
    const c10::impl::VirtualGuardImpl guard(last->device().type());
    device_ = last->device();
    complete_ = std::make_shared<c10::Event>(device_.type());
    complete_->record(guard.getStream(last->device()));
}

const std::vector<Tensor>& HostCopies::wait() const {
    if (!complete_) return copies_;
    const c10::DeviceGuard guard(device_);  // in another thread, the first call would open the first device
    if (!complete_->query()) complete_->synchronize();
    return copies_;
}

std::vector<Tensor> fetched(const std::vector<Tensor>& tensors) {
    return HostCopies(tensors).wait();
}

}  // namespace kinescope
