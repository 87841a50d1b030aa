#pragma once

#include <string>
#include <vector>

#include "core/device/device_capability.h"

namespace kinescope {

/// The device with the requested name. "auto" selects the first usable accelerator, else the CPU. `devices` contains at
/// least the CPU, accelerators first. A described device (core/api/described_device.h) is not checked. Throws
/// Error(device_unavailable) if the named device is unusable or does not exist.
DeviceCapability choose_device(const std::string& requested, const std::vector<DeviceCapability>& devices);

/// One sentence for each accelerator that "auto" skips because it is unusable.
std::vector<std::string> skipped_devices(const std::vector<DeviceCapability>& devices);

/// The lowest compute capability (times 10) that LibTorch 2.11 has kernels for, by CUDA version: 75 for CUDA 13.
/// `cuda_version`: 13000 means 13.0.
int lowest_capability(int cuda_version);

/// The presence of LibTorch's CUDA backend on this computer.
enum class CudaBackend { present, missing };

/// The state of LibTorch's CUDA backend in this process.
struct BackendState {
    int cuda_version = 0;              ///< of the LibTorch build; 0: unknown
    std::string cuda_load_error = {};  ///< the loader's message; empty if the backend is loaded
    CudaBackend cuda = CudaBackend::present;
};

/// Returns the reason why LibTorch cannot compute on the device, in one sentence; empty if it can.
LocalizableMessage why_unusable(const DeviceCapability& device, const BackendState& backend);

}  // namespace kinescope
