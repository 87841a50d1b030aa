#pragma once

#include <vector>

#include "core/api/gpu_installer.h"
#include "core/api/gpu_support.h"

namespace kinescope {

/// Returns what the computer needs before Kinescope can compute on its GPU. `devices` contains all devices, with the
/// reasons why they cannot be used. Pure.
GpuSetup gpu_setup(const GpuSupportManifest& manifest, const GpuSupportStatus& status,
                   const std::vector<DeviceInfo>& devices);

}  // namespace kinescope
