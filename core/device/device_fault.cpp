#include "core/device/device_fault.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>

namespace kinescope {

namespace {

/// The value of cudaErrorMemoryAllocation.
constexpr int kMemoryAllocation = 2;

struct Pattern {
    std::string_view part;
    DeviceFault fault;
};

/// Patterns in messages; the first match applies. cuBLAS and cuDNN report "not initialized" if a handle could not be
/// created for lack of memory.
constexpr std::array kPatterns = {
    Pattern{"CUDA out of memory", DeviceFault::out_of_memory},
    Pattern{"MPS backend out of memory", DeviceFault::out_of_memory},
    Pattern{"CUDA error: out of memory", DeviceFault::out_of_memory},
    Pattern{"CUDA driver error: out of memory", DeviceFault::out_of_memory},
    Pattern{"CUBLAS_STATUS_ALLOC_FAILED", DeviceFault::out_of_memory},
    Pattern{"CUBLAS_STATUS_NOT_INITIALIZED", DeviceFault::out_of_memory},
    Pattern{"CUDNN_STATUS_ALLOC_FAILED", DeviceFault::out_of_memory},
    Pattern{"CUDNN_STATUS_NOT_INITIALIZED", DeviceFault::out_of_memory},
    Pattern{"CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", DeviceFault::out_of_memory},
    Pattern{"CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED", DeviceFault::out_of_memory},
    Pattern{kNoEngine, DeviceFault::out_of_memory},
    // The library refuses the call before it launches any kernel, so the device still works.
    Pattern{"CUBLAS_STATUS_NOT_SUPPORTED", DeviceFault::none},
    Pattern{"CUBLAS_STATUS_INVALID_VALUE", DeviceFault::none},
    Pattern{"CUDNN_STATUS_NOT_SUPPORTED", DeviceFault::none},
    Pattern{"CUDNN_STATUS_BAD_PARAM", DeviceFault::none},
    // The device cannot be used at all, which is detected before a run.
    Pattern{"CUDA driver version is insufficient", DeviceFault::none},
    Pattern{"CUDA error", DeviceFault::lost},
    Pattern{"CUBLAS_STATUS_", DeviceFault::lost},
    Pattern{"CUDNN_STATUS_", DeviceFault::lost},
    Pattern{"CUFFT_", DeviceFault::lost},
};

const char* message_of(const std::exception& error) {
    const auto* of_torch = dynamic_cast<const c10::Error*>(&error);
    return of_torch == nullptr ? error.what() : of_torch->what_without_backtrace();
}

}  // namespace

DeviceFault classify_device_message(std::string_view message) {
    const auto found = std::ranges::find_if(
        kPatterns, [&](const Pattern& pattern) { return message.find(pattern.part) != std::string_view::npos; });
    return found == kPatterns.end() ? DeviceFault::none : found->fault;
}

DeviceFault device_fault(const std::exception& error) {
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return DeviceFault::out_of_memory;
    if (const auto* failed = dynamic_cast<const c10::AcceleratorError*>(&error))
        return failed->get_error_code() == kMemoryAllocation ? DeviceFault::out_of_memory : DeviceFault::lost;
    return classify_device_message(message_of(error));
}

std::string device_message(const std::exception& error) {
    std::string_view message = message_of(error);
    for (const std::string_view end : {"\n", " Including non-PyTorch", " Process ", " Of the allocated"})
        message = message.substr(0, message.find(end));
    return std::string(message);
}

}  // namespace kinescope
