#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace kinescope {

/// The kind of a device's failure.
enum class DeviceFault {
    none,           ///< the error has another cause
    out_of_memory,  ///< an allocation failed; the device still works
    lost,           ///< every later use of the device in this process fails as well
};

/// cuDNN's message if no engine computes a convolution. LibTorch tries each engine and discards their errors, also the
/// failed allocation of their working memory, which is the usual cause.
inline constexpr std::string_view kNoEngine = "unable to find an engine to execute this computation";

/// Determines the fault from a message of LibTorch, cuBLAS or cuDNN. Pure.
DeviceFault classify_device_message(std::string_view message);

/// Returns the fault that an exception reports. Failed allocations in main memory do not count, except those of pinned
/// memory.
DeviceFault device_fault(const std::exception& error);

/// Returns an exception's message without LibTorch's details about its allocator, its advice and its stack trace.
std::string device_message(const std::exception& error);

}  // namespace kinescope
