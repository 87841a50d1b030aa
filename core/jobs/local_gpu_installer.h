#pragma once

#include <filesystem>
#include <mutex>
#include <set>

#include "core/api/engine.h"

namespace kinescope {

/// Installs GPU support into the user's data folder. Sends GpuSupportProgress to the observer.
class LocalGpuInstaller final : public GpuInstaller {
public:
    /// `observer` must outlive this object. If the resources contain no gpu_support.json, nothing is offered.
    LocalGpuInstaller(const std::filesystem::path& resources_dir, RunObserver& observer)
        : manifest_file_(resources_dir / "gpu_support.json"), observer_(observer) {}

    GpuSetup setup() override;
    void install(InstallId id) override;
    void stop(InstallId id) override;

private:
    bool is_stopped(InstallId id);

    const std::filesystem::path manifest_file_;
    RunObserver& observer_;
    std::mutex mutex_;
    std::set<InstallId> stopped_;
};

}  // namespace kinescope
