#include "core/device/choose_device.h"

#include <torch/headeronly/version.h>

#include <algorithm>
#include <cstdlib>

#include "core/api/described_device.h"
#include "core/api/error.h"
#include "core/api/joined.h"

namespace kinescope {

namespace {

std::string list_devices(const std::vector<DeviceCapability>& devices) {
    return joined(devices, ", ", [](const DeviceCapability& device) {
        return device_id(device) + (device.unusable.empty() ? "" : " (cannot compute)");
    });
}

bool is_named(const std::string& requested, const DeviceCapability& device) {
    return requested == device_id(device) || (requested == "cuda" && device.kind == DeviceKind::cuda);
}

DeviceCapability capability_of(const DescribedDevice& described) {
    DeviceCapability device;
    device.kind = DeviceKind::cuda;
    device.name = "described device";
    device.compute_major = described.compute_major;
    device.compute_minor = described.compute_minor;
    device.memory_total_bytes = device.memory_free_bytes = described.memory_bytes;
    return device;
}

std::string capability_of(int number) {
    return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

}  // namespace

DeviceCapability choose_device(const std::string& requested, const std::vector<DeviceCapability>& devices) {
    if (const auto described = parse_described_device(requested)) return capability_of(*described);
    const auto is_requested = [&](const DeviceCapability& device) {
        return requested == "auto" || is_named(requested, device);
    };
    const auto is_usable = [&](const DeviceCapability& device) {
        return is_requested(device) && device.unusable.empty();
    };
    if (const auto found = std::ranges::find_if(devices, is_usable); found != devices.end()) return *found;
    if (const auto found = std::ranges::find_if(devices, is_requested); found != devices.end())
        throw Error(ErrorCode::device_unavailable,
                    "device '" + requested + "' (" + found->name + ") is unusable: " + found->unusable.text,
                    "Use --device auto; `kinescope-cli doctor` shows details.", {{"device", requested}});
    throw Error(ErrorCode::device_unavailable,
                "device '" + requested + "' does not exist; this machine has: " + list_devices(devices),
                "Use --device auto, or check the driver with `kinescope-cli devices`.", {{"device", requested}});
}

std::vector<std::string> skipped_devices(const std::vector<DeviceCapability>& devices) {
    std::vector<std::string> sentences;
    for (const auto& device : devices)
        if (!device.unusable.empty())
            sentences.push_back(device_id(device) + " (" + device.name + ") is not used: " + device.unusable.text);
    return sentences;
}

namespace {

constexpr const char* kWheelForOldCards = "torch==" TORCH_VERSION "+cu126";

}  // namespace

int lowest_capability(int cuda_version) {
    constexpr int kLastWithOldCards = 12060;  // LibTorch 2.11 (pytorch #172352)
    return cuda_version > kLastWithOldCards + 9 ? 75 : 50;
}

LocalizableMessage why_unusable(const DeviceCapability& device, const BackendState& backend) {
    if (device.kind != DeviceKind::cuda) return {};
    const int lowest = lowest_capability(backend.cuda_version);
    const int own = device.compute_major * 10 + device.compute_minor;
    const std::string cuda = std::to_string(backend.cuda_version / 1000);
    if (backend.cuda_version > 0 && own < lowest)
        return {.code = "card_too_old",
                .values = {{"capability", capability_text(device)},
                           {"cuda", cuda},
                           {"lowest", capability_of(lowest)},
                           {"wheel", kWheelForOldCards}},
                .text = "its compute capability is " + capability_text(device) + "; LibTorch for CUDA " + cuda +
                        " requires " + capability_of(lowest) + " or higher; build Kinescope with the wheel " +
                        kWheelForOldCards + ", which has kernels for this GPU"};
    if (const int driver = std::atoi(device.driver.c_str()); driver > 0 && driver < backend.cuda_version / 1000)
        return {.code = "driver_too_old",
                .values = {{"driver", device.driver}, {"cuda", cuda}},
                .text = "its driver supports CUDA " + device.driver + ", but LibTorch needs CUDA " + cuda +
                        "; install a newer NVIDIA driver"};
    if (backend.cuda == CudaBackend::missing)
        return {.code = "gpu_support_missing",
                .values = {{"error", backend.cuda_load_error}},
                .text =
                    "GPU support is not installed; the window offers it, and 'kinescope-cli gpu-support install' "
                    "downloads it (" +
                    backend.cuda_load_error + ")"};
    if (!backend.cuda_load_error.empty())
        return {.code = "cuda_not_loaded",
                .values = {{"error", backend.cuda_load_error}},
                .text = "LibTorch's CUDA backend could not be loaded: " + backend.cuda_load_error};
    return {};
}

}  // namespace kinescope
