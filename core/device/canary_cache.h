#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "core/base/cache_file.h"
#include "core/device/canary_run.h"
#include "core/device/cpu_level.h"

namespace kinescope {

template <>
struct CacheFormat<CanaryReport> {
    static Json write(const CanaryReport& report);
    static CanaryReport read(const Json& json);
};

/// Saved canary reports by device, driver and library versions, and for the CPU also by the level of its vector
/// instructions. A report whose probes differ from the current ones is ignored.
class CanaryCache {
public:
    CanaryCache(std::filesystem::path file, std::map<std::string, std::string> libraries, CpuLevel level)
        : cache_(std::move(file)), libraries_(std::move(libraries)), level_(level) {}

    std::optional<CanaryReport> find(const DeviceCapability& device, const RowLayers& row_layers) const;
    /// Saves a report. Ignores write errors.
    void keep(const DeviceCapability& device, const CanaryReport& report) const;

private:
    std::string key(const DeviceCapability& device) const;

    CacheFile<CanaryReport> cache_;
    std::map<std::string, std::string> libraries_;
    CpuLevel level_;
};

}  // namespace kinescope
