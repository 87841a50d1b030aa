// A replacement of libcuda.so.1 with the few functions of the driver API that describe devices and run kernels.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tests/simulated_gpu/kernel_image.h"
#include "tests/simulated_gpu/settings.h"

using simulated_gpu::number;
using simulated_gpu::setting;

// Device attributes, with their values from cuda.h.
constexpr int kComputeMajor = 75, kComputeMinor = 76;
constexpr int kInvalidValue = 1, kNotInitialized = 3, kInvalidContext = 201, kNoBinary = 209, kNotFound = 500;

namespace {

/// The context of each device is a number, the index + 1.
thread_local std::uintptr_t context = 0;

/// Returns a function of the simulated libtorch_cuda.so, which has the memory and the streams.
template <class Function>
Function* of_backend(const char* name) {
    void* library = dlopen("libtorch_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
    return 0;
}

int cuDriverGetVersion(int* version) {
    *version = static_cast<int>(number("SIMULATED_GPU_DRIVER", "13000"));
    return 0;
}

int cuDeviceGetCount(int* count) {
    *count = simulated_gpu::device_count();
    return 0;
}

int cuDeviceGet(int* device, int index) {
    *device = index;
    return 0;
}

int cuDeviceGetName(char* name, int size, int) {
    std::snprintf(name, static_cast<std::size_t>(size), "%s", setting("SIMULATED_GPU_NAME", "NVIDIA H200"));
    return 0;
}

int cuDeviceGetPCIBusId(char* name, int size, int device) {
    std::snprintf(name, static_cast<std::size_t>(size), "0000:%02x:00.0", static_cast<unsigned>(device + 1));
    return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
    const auto capability = static_cast<int>(number("SIMULATED_GPU_CAPABILITY", "90"));
    if (attribute != kComputeMajor && attribute != kComputeMinor) return kInvalidValue;
    *value = attribute == kComputeMajor ? capability / 10 : capability % 10;
    return 0;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = simulated_gpu::memory_bytes();
    return 0;
}

int cuGetErrorString(int code, const char** text) {
    constexpr int kOutOfMemory = 2, kIllegalAddress = 700;
    *text = code == kOutOfMemory      ? "out of memory"
            : code == kIllegalAddress ? "an illegal memory access was encountered (simulated)"
                                      : nullptr;
    return *text == nullptr ? kInvalidValue : 0;
}

/// A real NVRTC on this computer asks for internal functions, and crashes if the driver does not answer.
int cuGetExportTable(const void**, const void*) {
    return kInvalidValue;
}

int cuDevicePrimaryCtxRetain(void** made, int device) {
    *made = reinterpret_cast<void*>(static_cast<std::uintptr_t>(device) + 1);
    return 0;
}

int cuCtxGetCurrent(void** current) {
    *current = reinterpret_cast<void*>(context);
    return 0;
}

int cuCtxSetCurrent(void* current) {
    context = reinterpret_cast<std::uintptr_t>(current);
    return 0;
}

int cuModuleLoadData(void** module, const void* image) {
    if (context == 0) return kInvalidContext;
    if (std::strcmp(static_cast<const char*>(image), simulated_gpu::kKernelImage) != 0) return kNoBinary;
    *module = const_cast<char*>(simulated_gpu::kKernelImage);
    return 0;
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
    if (module != simulated_gpu::kKernelImage) return kInvalidValue;
    auto* const find = of_backend<void*(const char*)>("simulated_gpu_find_kernel");
    if (find == nullptr) return kNotInitialized;
    *function = find(name);
    return *function == nullptr ? kNotFound : 0;
}

int cuLaunchKernel(void* function, unsigned blocks, unsigned blocks_y, unsigned blocks_z, unsigned threads,
                   unsigned threads_y, unsigned threads_z, unsigned, void* stream, void** parameters, void** extra) {
    constexpr unsigned kMostBlocks = 0x7fffffff, kMostThreads = 1024;
    const bool is_line = blocks_y == 1 && blocks_z == 1 && threads_y == 1 && threads_z == 1 && extra == nullptr;
    const bool fits = blocks > 0 && blocks <= kMostBlocks && threads > 0 && threads <= kMostThreads;
    if (!is_line || !fits) return kInvalidValue;
    auto* const device = of_backend<int()>("simulated_gpu_current_device");
    auto* const launch = of_backend<int(void*, unsigned, unsigned, void*, const void*)>("simulated_gpu_launch_kernel");
    if (device == nullptr || launch == nullptr) return kNotInitialized;
    if (context != static_cast<std::uintptr_t>(device()) + 1) return kInvalidContext;
    return launch(function, blocks, threads, stream, parameters[0]);
}
}
