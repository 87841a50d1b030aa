#include "core/jobs/local_gpu_installer.h"

#include <vector>

#include "core/api/gpu_support.h"
#include "core/device/backend.h"
#include "core/device/compute_policy.h"
#include "core/gpu_support/gpu_setup.h"

namespace kinescope {

namespace {

std::vector<DeviceInfo> described_devices() {
    std::vector<DeviceInfo> rows;
    for (const DeviceCapability& device : known_devices()) rows.push_back(describe_device(device));
    return rows;
}

}  // namespace

GpuSetup LocalGpuInstaller::setup() {
    std::error_code ignored;
    if (!std::filesystem::exists(manifest_file_, ignored)) return {};
    const GpuSupportManifest manifest = read_gpu_support_manifest(manifest_file_);
    return gpu_setup(manifest, gpu_support_status(manifest), described_devices());
}

void LocalGpuInstaller::install(InstallId id) {
    const GpuSupportManifest manifest = with_index_of_environment(read_gpu_support_manifest(manifest_file_));
    require_gpu(manifest, described_devices());
    install_gpu_support(manifest, [&](const GpuSupportProgress& progress) {
        observer_.on_event(0, progress);
        return is_stopped(id) ? KeepGoing::no : KeepGoing::yes;
    });
}

void LocalGpuInstaller::stop(InstallId id) {
    const std::lock_guard lock(mutex_);
    stopped_.insert(id);
}

bool LocalGpuInstaller::is_stopped(InstallId id) {
    const std::lock_guard lock(mutex_);
    return stopped_.contains(id);
}

}  // namespace kinescope
