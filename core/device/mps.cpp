#include <ATen/detail/MPSHooksInterface.h>

#include <algorithm>

#include "core/base/platform_machine.h"
#include "core/device/device_capability.h"

namespace kinescope {

std::vector<DeviceCapability> query_mps() {
    const at::MPSHooksInterface& hooks = at::detail::getMPSHooks();
    if (!hooks.hasMPS()) return {};
    DeviceCapability device;
    device.kind = DeviceKind::mps;
    device.name = describe_cpu().name;
    // The hooks' isOnMacOSorNewer knows only the versions that existed when LibTorch was built.
    const OsVersion macos = macos_version();
    device.macos_major = macos.major;
    device.macos_minor = macos.minor;
    const auto recommended = static_cast<std::int64_t>(hooks.getRecommendedMaxMemory());
    const auto held = static_cast<std::int64_t>(hooks.getDriverAllocatedMemory());
    device.memory_total_bytes = recommended;
    device.memory_free_bytes = std::max<std::int64_t>(recommended - held, 0);
    return {device};
}

}  // namespace kinescope
