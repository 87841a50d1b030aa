#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/doctor_report.h"
#include "core/device/canary_cache.h"

namespace kinescope {

/// Where a device's trial by canary comes from.
struct CanarySource {
    std::filesystem::path program;  ///< that tries devices in a child; empty: none is tried
    CanaryCache cache;
};

/// The kept report of a device, or a new one; empty where there is neither.
CanaryReport examine(const DeviceCapability& device, const CanarySource& source, CanaryMode mode);

/// The devices as the policy may use them. The accelerators that can compute are tried first; the CPU is not, for a
/// program that got here runs on it.
struct ExaminedDevices {
    std::vector<DeviceCapability> devices;
    BackendSwitches switches;        ///< the ways around that are needed
    std::vector<std::string> words;  ///< what was found
};
ExaminedDevices examine_accelerators(const CanarySource& source);

/// Everything of the machine; tries every device, the CPU too. `known_bad` is resources/known_bad.json.
DoctorReport make_doctor_report(const CanarySource& source, const std::filesystem::path& known_bad, CanaryMode mode);

/// "canary.json" in the user's cache folder.
std::filesystem::path default_canary_file();

}  // namespace kinescope
