#include "core/device/backend.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>

#include <atomic>
#include <typeinfo>

#include "core/api/error.h"
#include "core/device/device_memory.h"
#include "core/device/library_versions.h"

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

namespace {

std::string on_off(bool is_on) {
    return is_on ? "on" : "off";
}

std::string blas_backend(at::BlasBackend backend) {
    switch (backend) {
        case at::BlasBackend::Cublas:
            return "cublas";
        case at::BlasBackend::Cublaslt:
            return "cublaslt";
        case at::BlasBackend::Ck:
            return "ck";
        default:
            return "default";
    }
}

}  // namespace

std::map<std::string, std::string> numeric_settings() {
    auto& context = at::globalContext();
    const auto reduces = [](at::CuBLASReductionOption option) {
        return on_off(option == at::CuBLASReductionOption::AllowReducedPrecisionWithSplitK);
    };
    return {{"float16_accumulation", on_off(context.allowFP16AccumulationCuBLAS())},
            {"float16_reduction", reduces(context.allowFP16ReductionCuBLAS())},
            {"bfloat16_reduction", reduces(context.allowBF16ReductionCuBLAS())},
            {"half_reduction_in_attention", on_off(context.allowFP16BF16ReductionMathSDP())},
            {"tf32_matmul", on_off(context.allowTF32CuBLAS())},
            {"tf32_convolution", on_off(context.allowTF32CuDNN())},
            {"cudnn_attention", on_off(context.userEnabledCuDNNSDP())},
            {"cudnn", on_off(context.userEnabledCuDNN())},
            {"cudnn_benchmark", on_off(context.benchmarkCuDNN())},
            {"onednn", on_off(context.userEnabledMkldnn())},
            {"blas_backend", blas_backend(context.blasPreferredBackend())}};
}

std::string accumulation_name(HalfAccumulation half_accumulation) {
    return half_accumulation == HalfAccumulation::allowed ? "half precision allowed" : "float32";
}

int set_cpu_threads(int threads) {
    at::set_num_threads(threads > 0 ? threads : query_cpu().physical_cores);
    return at::get_num_threads();
}

int fix_cpu_threads(int threads) {
    const int wanted = set_cpu_threads(threads > 0 ? threads : machine_cores());
    std::atomic<int> parts = 0;
    at::parallel_for(0, wanted, 1, [&](std::int64_t, std::int64_t) { ++parts; });
    if (parts == wanted) return wanted;
    throw Error(ErrorCode::unsupported,
                "a reproducible run needs " + std::to_string(wanted) + " threads, and the environment allows " +
                    std::to_string(parts),
                "Unset OMP_THREAD_LIMIT and OMP_DYNAMIC.");
}

namespace {

/// Why LibTorch does not use the backend that was loaded; empty: it does.
std::string fault_of_hooks() {
    const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
    if (typeid(hooks) == typeid(at::CUDAHooksInterface))
        return "LibTorch was used before its CUDA backend was loaded, and does without it until the program is started "
               "again";
    return hooks.getNumGPUs() > 0 ? "" : "it finds no device that it can use; the driver may be damaged or too old";
}

std::string load_fault() {
    if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr) return fault_of_hooks();
    const char* error = dlerror();
    return error == nullptr ? "the loader gave no reason" : error;
}

BackendState load_once() {
    BackendState state{.cuda_version = cuda_runtime_version(), .cuda_load_error = {}};
    if (!query_cuda().empty()) state.cuda_load_error = load_fault();
    return state;
}

}  // namespace

BackendState load_cuda_backend() {
    static const BackendState state = load_once();
    return state;
}

std::vector<DeviceCapability> known_devices() {
    const BackendState backend = load_cuda_backend();
    std::vector<DeviceCapability> devices = query_devices();
    for (DeviceCapability& device : devices) {
        device.unusable = why_unusable(device, backend);
        if (device.kind != DeviceKind::cuda || !device.unusable.empty()) continue;
        // What this process holds is free for its next job.
        const auto own = held_memory(Device(device_id(device)));
        device.memory_free_bytes = std::min(device.memory_total_bytes, device.memory_free_bytes + own);
    }
    return devices;
}

}  // namespace kinescope
