#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "core/device/canary_run.h"

namespace kinescope {

/// Canary reports by device, driver and libraries, in one small JSON file; a file that cannot be read is the same as
/// none, and a report of other probes than today's is none either.
class CanaryCache {
public:
    CanaryCache(std::filesystem::path file, std::map<std::string, std::string> libraries)
        : file_(std::move(file)), libraries_(std::move(libraries)) {}

    std::optional<CanaryReport> find(const DeviceCapability& device) const;
    /// Failing to write is no failure of the canary.
    void keep(const DeviceCapability& device, const CanaryReport& report) const;

private:
    std::string key(const DeviceCapability& device) const;

    std::filesystem::path file_;
    std::map<std::string, std::string> libraries_;
};

}  // namespace kinescope
