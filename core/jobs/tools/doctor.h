#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/doctor_report.h"
#include "core/device/canary_cache.h"

namespace kinescope {

/// The source of canary results. A canary is a test of a device with known results.
struct CanarySource {
    std::filesystem::path program;  ///< tests devices in a child process; empty: only cached results
    CanaryCache cache;
    RowLayers row_layers;  ///< of all model families
    IsCancelled is_cancelled = {};
};

/// Returns the cached report of a device, or a new one. Returns an empty report if there is neither. Throws Cancelled.
CanaryReport examine(const DeviceCapability& device, const CanarySource& source, CanaryMode mode);

/// The devices, with the restrictions that the tests found. Only accelerators are tested, because the program already
/// runs on the CPU.
struct ExaminedDevices {
    std::vector<DeviceCapability> devices;
    BackendSwitches switches;  ///< fallbacks needed by the devices
    std::vector<std::string> warnings;
};
ExaminedDevices examine_accelerators(const CanarySource& source);

/// Makes the full report. Tests every device, including the CPU. `known_bad` is resources/known_bad.json.
DoctorReport make_doctor_report(const CanarySource& source, const std::filesystem::path& known_bad, CanaryMode mode);

/// Returns "<cache>/canary.json".
std::filesystem::path default_canary_file();

}  // namespace kinescope
