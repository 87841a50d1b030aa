#include <algorithm>
#include <filesystem>

#include "core/api/error.h"
#include "core/api/gpu_support.h"

namespace kinescope {
namespace {

std::string driver_advice(const GpuSupportManifest& manifest) {
    return "Install NVIDIA driver " + manifest.driver + " or newer, and restart the computer.";
}

Error no_driver(const GpuSupportManifest& manifest) {
    std::error_code ignored;
    const bool has_module = std::filesystem::exists("/proc/driver/nvidia/version", ignored);
    return {ErrorCode::device_unavailable,
            has_module ? "An NVIDIA driver is loaded, but it reports no GPU that programs can use"
                       : "No NVIDIA driver was found on this computer",
            driver_advice(manifest) + " To install GPU support anyway, add --without-driver.",
            {{"driver", manifest.driver}}};
}

bool has_fault(const DeviceInfo& device, const char* code) {
    return device.unusable.code == code;
}

}  // namespace

void require_gpu(const GpuSupportManifest& manifest, const std::vector<DeviceInfo>& devices) {
    std::vector<DeviceInfo> cards;
    std::ranges::copy_if(devices, std::back_inserter(cards),
                         [](const DeviceInfo& device) { return device.id.starts_with("cuda"); });
    if (cards.empty()) throw no_driver(manifest);
    const auto is_possible = [](const DeviceInfo& card) {
        return !has_fault(card, "driver_too_old") && !has_fault(card, "card_too_old");
    };
    if (std::ranges::any_of(cards, is_possible)) return;
    const DeviceInfo& card = cards.front();
    if (has_fault(card, "driver_too_old"))
        throw Error(ErrorCode::device_unavailable,
                    "The NVIDIA driver of the " + card.name + " supports CUDA " + card.driver +
                        "; GPU support needs CUDA " + manifest.cuda + ", which requires driver " + manifest.driver +
                        " or newer",
                    driver_advice(manifest), {{"driver", manifest.driver}, {"cuda", manifest.cuda}});
    throw Error(ErrorCode::device_unavailable, "The " + card.name + " cannot be used: " + card.unusable.text, {},
                card.unusable.values);
}

}  // namespace kinescope
