#include "core/device/dtype_support.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/device/dtype.h"

namespace kinescope {

namespace {

/// Returns the compute capability times 10: 86 for "8.6".
int capability_number(const DeviceCapability& device) {
    return device.compute_major * 10 + device.compute_minor;
}

DtypeSupport support_if(bool native, DtypeSupport otherwise = DtypeSupport::none) {
    return native ? DtypeSupport::native : otherwise;
}

DtypeSupport cuda_support(const DeviceCapability& device, Dtype dtype) {
    const int capability = capability_number(device);
    if (dtype == at::kBFloat16) return support_if(capability >= 80);  // older GPUs have no bfloat16 convolutions
    if (dtype == at::kFloat8_e4m3fn) return support_if(capability >= 89);
    if (dtype == at::kHalf)
        return support_if(capability >= 70 && !is_turing_without_tensor_cores(device), DtypeSupport::emulated);
    return support_if(dtype == at::kFloat);
}

DtypeSupport mps_support(const DeviceCapability& device, Dtype dtype) {
    if (dtype == at::kBFloat16) return support_if(device.macos_major >= 14);
    return support_if(dtype == at::kFloat || dtype == at::kHalf);
}

DtypeSupport cpu_support(const CpuFeatures& cpu, Dtype dtype) {
    if (dtype == at::kBFloat16) return support_if(cpu.avx512_bf16 || cpu.amx_bf16, DtypeSupport::emulated);
    if (dtype == at::kHalf) return DtypeSupport::emulated;
    return support_if(dtype == at::kFloat || dtype == at::kChar);
}

}  // namespace

DtypeSupport compute_support(const DeviceCapability& device, Dtype dtype) {
    if (device.faulty_dtypes.contains(dtype_name(dtype))) return DtypeSupport::none;
    switch (device.kind) {
        case DeviceKind::cuda:
            return cuda_support(device, dtype);
        case DeviceKind::mps:
            return mps_support(device, dtype);
        case DeviceKind::cpu:
            break;
    }
    return cpu_support(device.cpu, dtype);
}

bool can_store(const DeviceCapability& device, Dtype dtype) {
    if (device.kind != DeviceKind::mps || dtype == at::kByte) return true;
    return compute_support(device, dtype) != DtypeSupport::none;
}

bool is_turing_without_tensor_cores(const DeviceCapability& device) {
    if (device.kind != DeviceKind::cuda || capability_number(device) != 75) return false;
    constexpr std::array<std::string_view, 15> kNames = {"GTX 1630", "GTX 1650", "GTX 1660", "MX450", "MX550",
                                                         "T400",     "T500",     "T550",     "T600",  "T1000",
                                                         "T1200",    "T2000",    "TU116",    "TU117", "CMP 30HX"};
    return std::ranges::any_of(kNames, [&](std::string_view name) { return names_device(device.name, name); });
}

}  // namespace kinescope
