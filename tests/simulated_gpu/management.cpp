// A replacement of libnvidia-ml.so.1, which reports the free memory of a GPU.
#include "tests/simulated_gpu/settings.h"

extern "C" {

struct Memory {
    unsigned long long total, free, used;
};

int nvmlInit_v2() {
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
    *device = nullptr;
    return 0;
}

int nvmlDeviceGetMemoryInfo(void*, Memory* memory) {
    *memory = {simulated_gpu::memory_bytes(), simulated_gpu::memory_bytes() - simulated_gpu::foreign_bytes(),
               simulated_gpu::foreign_bytes()};
    return 0;
}
}
