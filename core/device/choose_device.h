#pragma once

#include <string>
#include <vector>

#include "core/device/device_capability.h"

namespace kinescope {

/// Returns the device with the requested name. "auto" selects the first usable accelerator, or the CPU if there is
/// none. `devices` must contain the CPU; accelerators come first. A described device (core/api/described_device.h) is
/// not checked. Throws Error(device_unavailable) if the named device is unusable or does not exist.
DeviceCapability choose_device(const std::string& requested, const std::vector<DeviceCapability>& devices);

/// Returns one sentence for each accelerator that "auto" skips because it is unusable.
std::vector<std::string> skipped_devices(const std::vector<DeviceCapability>& devices);

/// Returns the lowest compute capability (times 10) for which LibTorch 2.11 has kernels, by CUDA version: 75 for CUDA
/// 13. A `cuda_version` of 13000 means 13.0.
int lowest_capability(int cuda_version);

/// Whether LibTorch's CUDA backend is installed on this computer.
enum class CudaBackend { present, missing };

/// The state of LibTorch's CUDA backend in this process.
struct BackendState {
    int cuda_version = 0;              ///< of the LibTorch build; 0: unknown
    std::string cuda_load_error = {};  ///< the loader's message; empty if the backend is loaded
    CudaBackend cuda = CudaBackend::present;
};

/// Returns one sentence that states why LibTorch cannot compute on the device; empty if it can.
LocalizableMessage why_unusable(const DeviceCapability& device, const BackendState& backend);

}  // namespace kinescope
