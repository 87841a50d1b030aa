#include "core/device/backend.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torch/headeronly/version.h>

#include <algorithm>

namespace kinescope {

std::map<std::string, std::string> apply_numeric_settings() {
    auto& context = at::globalContext();
    context.setAllowFP16ReductionCuBLAS(false);
    context.setAllowBF16ReductionCuBLAS(false);
    context.setAllowFP16AccumulationCuBLAS(false);
    context.setAllowFP16BF16ReductionMathSDP(false);
    context.setAllowTF32CuBLAS(false);
    context.setAllowTF32CuDNN(false);
    context.setSDPUseCuDNN(false);
    context.setBenchmarkCuDNN(false);
    context.setFlushDenormal(true);
    return {{"accumulation", "float32"}, {"tf32", "off"}, {"cudnn_attention", "off"}, {"flush_denormal", "on"}};
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
