// A replacement of libnvrtc.so.13. It does not compile the source, because the simulated GPU contains its kernels, but
// it checks that the program compiles that source for this GPU.
#include <cstddef>
#include <cstring>
#include <string>

#include "tests/simulated_gpu/kernel_image.h"
#include "tests/simulated_gpu/settings.h"

namespace {

constexpr int kInvalidInput = 3, kInvalidOption = 5, kCompilation = 6;

std::string message;

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}

int nvrtcCreateProgram(void** program, const char* source, const char*, int headers, const char* const* header,
                       const char* const* name) {
    const bool is_complete = headers == 1 && std::strstr(source, name[0]) != nullptr &&
                             std::strstr(source, "KINESCOPE_KERNEL") != nullptr &&
                             std::strstr(header[0], "namespace kinescope::kernels") != nullptr;
    *program = &message;
    return is_complete ? 0 : kInvalidInput;
}

int nvrtcCompileProgram(void*, int count, const char* const* options) {
    const std::string wanted =
        std::string("--gpu-architecture=sm_") + simulated_gpu::setting("SIMULATED_GPU_CAPABILITY", "90");
    bool is_found = false;
    for (int i = 0; i < count; ++i) is_found |= wanted == options[i];
    message = is_found ? "" : "error: expected the option " + wanted;
    if (!is_found) return kInvalidOption;
    const bool is_broken = *simulated_gpu::setting("SIMULATED_GPU_BROKEN_COMPILER", "") != '\0';
    message = is_broken ? "error: simulated\nsecond line" : "";
    return is_broken ? kCompilation : 0;
}

int nvrtcGetCUBINSize(void*, std::size_t* size) {
    *size = std::strlen(simulated_gpu::kKernelImage) + 1;
    return 0;
}

int nvrtcGetCUBIN(void*, char* image) {
    std::strcpy(image, simulated_gpu::kKernelImage);
    return 0;
}

int nvrtcGetProgramLogSize(void*, std::size_t* size) {
    *size = message.size() + 1;
    return 0;
}

int nvrtcGetProgramLog(void*, char* log) {
    std::strcpy(log, message.c_str());
    return 0;
}

int nvrtcDestroyProgram(void**) {
    return 0;
}
}
