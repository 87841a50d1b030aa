#pragma once

#include <string>
#include <vector>

#include "core/device/device_capability.h"

namespace kinescope::testing {

inline DeviceCapability cuda_device(int major, int minor, const std::string& name = "NVIDIA GPU") {
    DeviceCapability device;
    device.kind = DeviceKind::cuda;
    device.name = name;
    device.compute_major = major;
    device.compute_minor = minor;
    return device;
}

inline DeviceCapability mps_device(int macos) {
    DeviceCapability device;
    device.kind = DeviceKind::mps;
    device.name = "Apple GPU";
    device.macos_major = macos;
    return device;
}

inline DeviceCapability cpu_device(const CpuFeatures& features = {.avx2 = true}) {
    DeviceCapability device;
    device.name = "CPU";
    device.cpu = features;
    return device;
}

}  // namespace kinescope::testing
