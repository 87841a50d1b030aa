#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/doctor_report.h"
#include "core/device/canary_cache.h"

namespace kinescope {

/// Where canary results come from.
struct CanarySource {
    std::filesystem::path program;  ///< tests devices in a child process; empty: only cached results
    CanaryCache cache;
};

/// The cached report of a device, or a new one; empty if there is neither.
CanaryReport examine(const DeviceCapability& device, const CanarySource& source, CanaryMode mode);

/// The devices as the policy may use them. Accelerators are tested; the CPU is not, because the program already runs on
/// it.
struct ExaminedDevices {
    std::vector<DeviceCapability> devices;
    BackendSwitches switches;  ///< fallbacks needed by the devices
    std::vector<std::string> warnings;
};
ExaminedDevices examine_accelerators(const CanarySource& source);

/// The full report; tests every device, including the CPU. `known_bad` is resources/known_bad.json.
DoctorReport make_doctor_report(const CanarySource& source, const std::filesystem::path& known_bad, CanaryMode mode);

/// "<cache>/canary.json"
std::filesystem::path default_canary_file();

}  // namespace kinescope
