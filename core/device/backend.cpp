#include "core/device/backend.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/headeronly/version.h>

#include <algorithm>

namespace kinescope {

void apply_numeric_settings(HalfAccumulation half_accumulation) {
    const bool half = half_accumulation == HalfAccumulation::allowed;
    auto& context = at::globalContext();
    context.setAllowFP16ReductionCuBLAS(half);
    context.setAllowBF16ReductionCuBLAS(half);
    context.setAllowFP16AccumulationCuBLAS(half);
    context.setAllowFP16BF16ReductionMathSDP(half);
    context.setAllowTF32CuBLAS(false);
    context.setAllowTF32CuDNN(false);
    context.setSDPUseCuDNN(false);
    context.setBenchmarkCuDNN(false);
    context.setFlushDenormal(true);
}

std::string accumulation_name(HalfAccumulation half_accumulation) {
    return half_accumulation == HalfAccumulation::allowed ? "half precision allowed" : "float32";
}

void set_cpu_threads(int threads) {
    at::set_num_threads(threads > 0 ? threads : query_cpu().physical_cores);
}

bool load_cuda_backend() {
    static const bool loaded = !query_cuda().empty() && dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr;
    return loaded;
}

std::vector<DeviceCapability> usable_devices() {
    std::vector<DeviceCapability> devices = query_devices();
    if (!load_cuda_backend())
        std::erase_if(devices, [](const auto& device) { return device.kind == DeviceKind::cuda; });
    return devices;
}

std::map<std::string, std::string> library_versions() {
    std::map<std::string, std::string> versions{{"libtorch", TORCH_VERSION}};
    const auto cuda = query_cuda();
    if (!cuda.empty()) versions["cuda_driver"] = cuda.front().driver;
    return versions;
}

}  // namespace kinescope
