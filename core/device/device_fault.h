#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace kinescope {

/// How a device failed.
enum class DeviceFault {
    none,           ///< the error has another cause
    out_of_memory,  ///< an allocation failed; the device still works
    lost,           ///< every later use of the device in this process fails too
};

/// From the message of LibTorch, cuBLAS or cuDNN. Pure.
DeviceFault classify_device_message(std::string_view message);

/// The fault that an exception reports. Allocations in main memory are not counted, except pinned memory.
DeviceFault device_fault(const std::exception& error);

/// An exception's message without LibTorch's details of its allocator, advice and stack trace.
std::string device_message(const std::exception& error);

}  // namespace kinescope
