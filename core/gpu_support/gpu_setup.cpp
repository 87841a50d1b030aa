#include "core/gpu_support/gpu_setup.h"

#include <algorithm>
#include <string_view>

namespace kinescope {
namespace {

bool is_card(const DeviceInfo& device) {
    return device.id.starts_with("cuda");
}

const DeviceInfo* find_fault(const std::vector<DeviceInfo>& devices, std::string_view code) {
    const auto found = std::ranges::find_if(
        devices, [&](const DeviceInfo& device) { return is_card(device) && device.unusable.code == code; });
    return found == devices.end() ? nullptr : &*found;
}

}  // namespace

GpuSetup gpu_setup(const GpuSupportManifest& manifest, const GpuSupportStatus& status,
                   const std::vector<DeviceInfo>& devices) {
    GpuSetup setup{.needed_cuda = manifest.cuda,
                   .needed_driver = manifest.driver,
                   .download_bytes = manifest.bytes(),
                   .bytes_to_download = status.bytes_to_download};
    const auto describe = [&](const DeviceInfo& card, GpuNeed need) {
        setup.need = need;
        setup.card = card.name;
        setup.driver_cuda = card.driver;
    };
    const auto computes = [](const DeviceInfo& device) { return is_card(device) && device.unusable.empty(); };
    if (std::ranges::any_of(devices, computes)) return setup;
    if (const DeviceInfo* card = find_fault(devices, "gpu_support_missing"))
        describe(*card, status.state == GpuSupportState::installed ? GpuNeed::restart : GpuNeed::download);
    else if (const DeviceInfo* old = find_fault(devices, "driver_too_old"))
        describe(*old, GpuNeed::newer_driver);
    return setup;
}

}  // namespace kinescope
