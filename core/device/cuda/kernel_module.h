#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/device/tensor.h"

namespace kinescope {

/// The number of blocks of a launch and of threads in each.
struct LaunchGrid {
    unsigned blocks = 1;
    unsigned threads = 32;
};

/// The compiled fused kernels in the driver, for one CUDA device.
class KernelModule {
public:
    /// Compiles the kernels at their first use on this computer, see kernel_image. Throws Error(unsupported) if they
    /// cannot be compiled or the driver refuses them.
    explicit KernelModule(const Device& device);
    ~KernelModule() = default;  ///< leaves the module in the driver, which may have ended before
    KernelModule(const KernelModule&) = delete;
    KernelModule& operator=(const KernelModule&) = delete;

    /// Starts a kernel on the current stream of the device. `arguments` is the struct that the kernel takes. Throws
    /// c10::AcceleratorError if the driver reports an error.
    void launch(const std::string& kernel, const LaunchGrid& grid, void* arguments);

private:
    void* function(const std::string& kernel);

    Device device_;
    void* context_ = nullptr;
    void* module_ = nullptr;
    std::mutex mutex_;
    std::map<std::string, void*> functions_;
};

}  // namespace kinescope
