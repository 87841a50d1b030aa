#include "core/device/backend.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/headeronly/version.h>

#include <atomic>
#include <filesystem>
#include <latch>
#include <thread>
#include <typeinfo>
#include <vector>

#include "core/api/error.h"
#include "core/base/gpu_support_folder.h"
#include "core/base/platform_library.h"
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

namespace {

/// Starts this number of threads together, and ends them. Throws std::system_error if the system does not allow them.
void try_threads(int count) {
    std::latch all_started(1);
    std::vector<std::jthread> threads;
    const auto end = [&] { all_started.count_down(); };
    try {
        for (int i = 0; i < count; ++i) threads.emplace_back([&] { all_started.wait(); });
    } catch (...) {
        end();
        throw;
    }
    end();
}

}  // namespace

int set_cpu_threads(int threads) {
    const int wanted = num_cpu_threads(threads, Reproducibility::off);
    // OpenMP and LibTorch's other pool of threads start as many each. Without memory for them, the latter would wait
    // forever.
    try_threads(2 * wanted);
    at::set_num_threads(wanted);
    return at::get_num_threads();
}

int fix_cpu_threads(int threads) {
    const int wanted = set_cpu_threads(num_cpu_threads(threads, Reproducibility::on));
    std::atomic<int> parts = 0;
    at::parallel_for(0, wanted, 1, [&](std::int64_t, std::int64_t) { ++parts; });
    if (parts == wanted) return wanted;
    throw Error(ErrorCode::unsupported,
                "A reproducible run needs " + std::to_string(wanted) + " threads, but the environment allows only " +
                    std::to_string(parts),
                "Unset OMP_THREAD_LIMIT and OMP_DYNAMIC.");
}

namespace {

/// Returns the reason why LibTorch does not use the loaded CUDA backend, or an empty string if it does.
std::string hooks_fault() {
    const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
    if (typeid(hooks) == typeid(at::CUDAHooksInterface))
        return "LibTorch was used before its CUDA backend was loaded, so CUDA is unavailable until the program is "
               "restarted";
    return hooks.getNumGPUs() > 0 ? "" : "it finds no usable device; the driver may be damaged or too old";
}

/// Loads a library. Returns the dynamic loader's error message, or an empty string on success.
std::string load_library(const char* file) {
    return open_library(file, LibraryScope::global) == nullptr ? library_error() : "";
}

/// Loads the CUDA backend that is next to this LibTorch or on the search path. If there is none, loads the one that
/// install_gpu_support put into the user's data folder.
void open_cuda_backend(BackendState& state) {
    state.cuda_load_error = load_library("libtorch_cuda.so");
    if (state.cuda_load_error.empty()) return;
    const auto file = gpu_support_folder(TORCH_VERSION) / "torch/lib/libtorch_cuda.so";
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
        state.cuda_load_error = load_library(file.c_str());
    else
        state.cuda = CudaBackend::missing;
}

BackendState load_once() {
    BackendState state{.cuda_version = cuda_runtime_version()};
    if (query_cuda().empty()) return state;
    open_cuda_backend(state);
    if (state.cuda_load_error.empty()) state.cuda_load_error = hooks_fault();
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
        // Memory that this process already holds on the device is available to its next job.
        const auto own = held_memory(Device(device_id(device)));
        device.memory_free_bytes = std::min(device.memory_total_bytes, device.memory_free_bytes + own);
    }
    return devices;
}

}  // namespace kinescope
