// A replacement of libcuda.so.1 with the few functions of the driver API that describe devices.
#include <cstddef>
#include <cstdio>

#include "tests/simulated_gpu/settings.h"

using simulated_gpu::number;
using simulated_gpu::setting;

// Device attributes, with their values from cuda.h.
constexpr int kComputeMajor = 75, kComputeMinor = 76;
constexpr int kInvalidValue = 1;

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
}
