#pragma once

#include <string>
#include <vector>

#include "core/device/device_capability.h"

namespace kinescope {

/// The device that a wish names; "auto" is the first accelerator that can compute, else the CPU. `devices` holds the
/// CPU at least, accelerators first. A described device (core/api/described_device.h) is taken at its word. Throws
/// Error(device_unavailable) that says why a named device cannot be had, or which there are.
DeviceCapability choose_device(const std::string& wish, const std::vector<DeviceCapability>& devices);

/// Why each accelerator that "auto" went past cannot compute: one sentence each.
std::vector<std::string> passed_over(const std::vector<DeviceCapability>& devices);

/// The lowest compute capability that LibTorch 2.11 built for a CUDA version holds kernels for, times 10: 75 of
/// CUDA 13. `cuda_version`: 13000 is 13.0.
int lowest_capability(int cuda_version);

/// Why LibTorch cannot compute on the device, in one sentence; empty: it can.
struct BackendState {
    int cuda_version = 0;         ///< that LibTorch is built for; 0: not known
    std::string cuda_load_error;  ///< the loader's words; empty: the backend is there
};
Sentence why_unusable(const DeviceCapability& device, const BackendState& backend);

}  // namespace kinescope
