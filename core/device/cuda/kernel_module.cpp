#include "core/device/cuda/kernel_module.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>

#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/platform_library.h"
#include "core/device/cuda/kernel_compiler.h"
#include "core/device/device_capability.h"

namespace kinescope {

namespace {

constexpr int kCudaSuccess = 0, kNotFound = 500;

/// The functions of NVIDIA's driver API that run kernels. Their types come from cuda.h.
struct KernelDriver {
    int (*device)(int*, int) = nullptr;
    int (*retain_context)(void**, int) = nullptr;
    int (*current_context)(void**) = nullptr;
    int (*set_context)(void*) = nullptr;
    int (*load)(void**, const void*) = nullptr;
    int (*function)(void**, void*, const char*) = nullptr;
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                  void**) = nullptr;
    int (*error_text)(int, const char**) = nullptr;  ///< optional

    explicit operator bool() const {
        return device && retain_context && current_context && set_context && load && function && launch;
    }
};

KernelDriver open_kernel_driver() {
    KernelDriver driver;
    void* library = open_library("libcuda.so.1", LibraryScope::own);
    if (library == nullptr) return driver;
    look_up(library, "cuDeviceGet", driver.device);
    look_up(library, "cuDevicePrimaryCtxRetain", driver.retain_context);
    look_up(library, "cuCtxGetCurrent", driver.current_context);
    look_up(library, "cuCtxSetCurrent", driver.set_context);
    look_up(library, "cuModuleLoadData", driver.load);
    look_up(library, "cuModuleGetFunction", driver.function);
    look_up(library, "cuLaunchKernel", driver.launch);
    look_up(library, "cuGetErrorString", driver.error_text);
    return driver;
}

const KernelDriver& driver() {
    static const KernelDriver opened = open_kernel_driver();
    return opened;
}

/// Returns the context of a device that LibTorch uses.
void* context_of(const Device& device) {
    void* context = nullptr;
    int handle = 0;
    if (driver().device(&handle, device.index()) != kCudaSuccess ||
        driver().retain_context(&context, handle) != kCudaSuccess)
        refuse_kernels("the driver has no context for " + device.str());
    return context;
}

/// Returns the driver's description of an error code, or the code.
std::string error_text(int code) {
    const char* text = nullptr;
    const bool is_known = driver().error_text != nullptr && driver().error_text(code, &text) == kCudaSuccess;
    return is_known && text != nullptr ? text : std::to_string(code);
}

/// Throws the error of LibTorch's own kernels for any other code of the driver.
void require_success(int code, const std::string& kernel) {
    if (code == kCudaSuccess) return;
    throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, code,
                                "CUDA error: " + error_text(code) + " (in " + kernel + ")");
}

/// Makes a context the current one of this thread. LibTorch does so itself, but only when it first calls CUDA in a
/// thread, and another library may have left a context of its own.
void enter(void* context) {
    void* current = nullptr;
    if (driver().current_context(&current) == kCudaSuccess && current == context) return;
    require_success(driver().set_context(context), "cuCtxSetCurrent");
}

int capability_of(const Device& device) {
    const auto devices = query_cuda();
    const auto found = std::ranges::find(devices, static_cast<int>(device.index()), &DeviceCapability::index);
    if (found == devices.end()) refuse_kernels("the driver does not know " + device.str());
    return found->compute_major * 10 + found->compute_minor;
}

}  // namespace

KernelModule::KernelModule(const Device& device) : device_(device) {
    if (!driver()) refuse_kernels("NVIDIA's driver is missing or lacks functions of CUDA 12");
    const c10::DeviceGuard current(device);
    context_ = context_of(device);
    enter(context_);
    const int capability = capability_of(device);
    const std::string image = kernel_image(capability, user_dirs().cache / "kernels");
    const int code = driver().load(&module_, image.c_str());
    constexpr std::array kUnsuitable = {200, 209, 218, 222, 300};  // errors that concern the image only
    if (std::ranges::find(kUnsuitable, code) != kUnsuitable.end())
        refuse_kernels("the driver refuses them for sm_" + std::to_string(capability) + ": " + error_text(code));
    require_success(code, "cuModuleLoadData");
}

void* KernelModule::function(const std::string& kernel) {
    const std::lock_guard lock(mutex_);
    if (const auto known = functions_.find(kernel); known != functions_.end()) return known->second;
    void* found = nullptr;
    const int code = driver().function(&found, module_, kernel.c_str());
    if (code == kNotFound) throw Error(ErrorCode::internal, "the compiled kernels lack " + kernel);
    require_success(code, kernel);
    return functions_[kernel] = found;
}

void KernelModule::launch(const std::string& kernel, const LaunchGrid& grid, void* arguments) {
    const c10::DeviceGuard current(device_);
    enter(context_);
    const c10::impl::VirtualGuardImpl guard(device_.type());
    void* stream = guard.getStreamNativeHandle(guard.getStream(device_));
    void* parameters[] = {arguments};
    require_success(
        driver().launch(function(kernel), grid.blocks, 1, 1, grid.threads, 1, 1, 0, stream, parameters, nullptr),
        kernel);
}

}  // namespace kinescope
