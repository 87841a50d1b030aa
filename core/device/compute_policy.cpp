#include "core/device/compute_policy.h"

#include <algorithm>

#include "core/api/error.h"
#include "core/device/dtype.h"

namespace kinescope {

namespace {

struct AutomaticDtype {
    Dtype dtype;
    std::string reason;
};

AutomaticDtype automatic_dtype(const DeviceCapability& device) {
    switch (device.kind) {
        case DeviceKind::cuda:
            if (device.compute_major >= 8)
                return {at::kBFloat16, "bfloat16: native on compute capability " + capability_text(device)};
            return {at::kFloat, "float32: compute capability " + capability_text(device) + " only emulates bfloat16"};
        case DeviceKind::mps:
            if (device.macos_major >= 14) return {at::kBFloat16, "bfloat16: native from macOS 14 on"};
            return {at::kFloat, "float32: macOS " + std::to_string(device.macos_major) + " has no bfloat16 on MPS"};
        case DeviceKind::cpu:
            break;
    }
    return {at::kFloat, "float32: the exact choice on a CPU (" + capability_text(device) + ")"};
}

ComponentChoice choose(const std::string& wish, const DeviceCapability& device, const AutomaticDtype& automatic) {
    ComponentChoice choice;
    choice.requested = wish;
    choice.precision.device = Device(device_id(device));
    if (const auto dtype = parse_compute_dtype(wish)) {
        choice.precision.compute = *dtype;
        choice.reason = dtype_name(*dtype) + ": asked for";
    } else {
        choice.precision.compute = automatic.dtype;
        choice.reason = automatic.reason;
    }
    choice.precision.storage = choice.precision.compute;
    return choice;
}

std::string list_devices(const std::vector<DeviceCapability>& devices) {
    std::string text;
    for (const auto& device : devices) text += (text.empty() ? "" : ", ") + device_id(device);
    return text;
}

}  // namespace

DeviceCapability choose_device(const std::string& wish, const std::vector<DeviceCapability>& devices) {
    const auto is_wished = [&](const DeviceCapability& device) {
        return wish == "auto" || wish == device_id(device) || (wish == "cuda" && device.kind == DeviceKind::cuda);
    };
    const auto found = std::find_if(devices.begin(), devices.end(), is_wished);
    if (found != devices.end()) return *found;
    throw Error(ErrorCode::device_unavailable,
                "device '" + wish + "' is not there; this machine has: " + list_devices(devices),
                "Use --device auto, or check the driver with `kinescope-cli devices`.", {{"device", wish}});
}

const Precision& ComputePolicy::at(const std::string& component) const {
    const auto found = components.find(component);
    if (found == components.end()) throw Error(ErrorCode::internal, "no policy for the component '" + component + "'");
    return found->second.precision;
}

const Precision& ComputePolicy::denoiser() const {
    return at(components.contains("unet") ? "unet" : "transformer");
}

ComputePolicy resolve_compute_policy(const PrecisionWish& wish, const StoredDtypes& stored,
                                     const DeviceCapability& device) {
    const AutomaticDtype automatic = automatic_dtype(device);
    // Wan's text encoder and VAE lose visible quality below float32; both are small beside the denoiser.
    const AutomaticDtype exact{at::kFloat, "float32: the decoder loses visible quality below it"};
    ComputePolicy policy;
    for (const auto& [name, dtype] : stored) {
        const bool is_text = name.starts_with("text_encoder");
        const bool is_denoiser = name.starts_with("transformer") || name.starts_with("unet");
        auto& choice = policy.components[name];
        if (is_denoiser)
            choice = choose(wish.dtype, device, automatic);
        else
            choice = is_text ? choose(wish.text_encoder_dtype, device, automatic)
                             : choose(name == "vae" ? wish.vae_dtype : "auto", device, exact);
        if (const auto storage = parse_compute_dtype(wish.storage); storage && is_denoiser)
            choice.precision.storage = *storage;
    }
    return policy;
}

PolicySummary summarize(const ComputePolicy& policy, const StoredDtypes& stored, const std::string& accumulation) {
    const auto row = [&](const std::string& name, const ComponentChoice& choice, Dtype stored_dtype) {
        return ComponentPolicy{.component = name,
                               .stored = dtype_name(stored_dtype),
                               .storage = dtype_name(choice.precision.storage),
                               .compute = dtype_name(choice.precision.compute),
                               .accumulation = accumulation,
                               .attention = "scaled_dot_product",
                               .device = choice.precision.device.str(),
                               .requested = choice.requested,
                               .reason = choice.reason};
    };
    PolicySummary rows;
    for (const auto& [name, choice] : policy.components) rows.push_back(row(name, choice, stored.at(name)));
    return rows;
}

namespace {

std::vector<std::string> native_dtypes(const DeviceCapability& device) {
    switch (device.kind) {
        case DeviceKind::cuda:
            if (device.compute_major >= 9 || (device.compute_major == 8 && device.compute_minor == 9))
                return {"float8_e4m3fn", "bfloat16", "float16", "float32"};
            if (device.compute_major >= 8) return {"bfloat16", "float16", "float32"};
            return device.compute_major >= 7 ? std::vector<std::string>{"float16", "float32"}
                                             : std::vector<std::string>{"float32"};
        case DeviceKind::mps:
            return device.macos_major >= 14 ? std::vector<std::string>{"bfloat16", "float16", "float32"}
                                            : std::vector<std::string>{"float16", "float32"};
        case DeviceKind::cpu:
            break;
    }
    if (device.cpu.amx_bf16 || device.cpu.avx512_bf16) return {"bfloat16", "float32"};
    return {"float32"};
}

}  // namespace

DeviceInfo describe_device(const DeviceCapability& device) {
    const AutomaticDtype automatic = automatic_dtype(device);
    return {.id = device_id(device),
            .name = device.name,
            .capability = capability_text(device),
            .memory_total_bytes = device.memory_total_bytes,
            .memory_free_bytes = device.memory_free_bytes,
            .dtypes = native_dtypes(device),
            .compute_dtype = dtype_name(automatic.dtype),
            .reason = automatic.reason};
}

}  // namespace kinescope
