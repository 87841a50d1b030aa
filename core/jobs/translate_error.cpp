#include "core/jobs/translate_error.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "core/device/device_fault.h"

namespace kinescope {

namespace {

constexpr const char* kSmaller = "Use a smaller size or fewer frames.";
constexpr const char* kRaiseLimits =
    "Close other programs, or raise the limits of this program (ulimit -v, ulimit -d, ulimit -u).";

Error of_device(DeviceFault fault, const std::exception& error) {
    if (fault == DeviceFault::out_of_memory)
        return {ErrorCode::out_of_memory, "the device is out of memory: " + device_message(error),
                "Close other programs that use the device, or use a smaller size or fewer frames."};
    return {
        ErrorCode::device_lost,
        "the GPU stopped working: " + device_message(error) +
            "; a fault of the driver, the graphics card or a kernel makes it unusable for this process",
        "Continue the job in a new process: its finished steps are saved. If it happens again, update the driver and "
        "check the graphics card's temperature, power supply and overclocking.",
        {{"error", device_message(error)}}};
}

/// Errors of LibTorch and its libraries that the user can understand only with their cause.
Error of_library(std::string_view message) {
    if (message.find("DefaultCPUAllocator") != std::string_view::npos)
        return {ErrorCode::out_of_memory, "the computer is out of memory", kSmaller};
    if (message == "could not create a primitive")
        return {ErrorCode::out_of_memory,
                "oneDNN could not create a primitive: the computer is probably out of memory, or a limit of this "
                "process is too low",
                kRaiseLimits};
    if (message.find("Failed to initialize cpuinfo") != std::string_view::npos)
        return {ErrorCode::unsupported,
                "LibTorch cannot read the properties of the processor: /proc or /sys is missing",
                "Mount /proc and /sys, for example in the settings of the container."};
    return {ErrorCode::internal, std::string(message), "This is a bug in Kinescope; please report it."};
}

/// Threads that cannot start for lack of memory throw this.
bool is_shortage(const std::system_error& error) {
    return error.code() == std::errc::resource_unavailable_try_again || error.code() == std::errc::not_enough_memory;
}

}  // namespace

Error translate_error(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::out_of_memory, "the computer is out of memory", kSmaller};
    } catch (const std::filesystem::filesystem_error& error) {
        return {ErrorCode::file_unreadable, error.what(), "Check the path and its permissions."};
    } catch (const std::system_error& error) {
        if (!is_shortage(error)) return of_library(error.what());
        return {ErrorCode::out_of_memory,
                std::string("the system gives this program no more memory or threads: ") + error.what(), kRaiseLimits};
    } catch (const c10::Error& error) {
        if (const DeviceFault fault = device_fault(error); fault != DeviceFault::none) return of_device(fault, error);
        return of_library(error.what_without_backtrace());
    } catch (const std::exception& error) {
        if (const DeviceFault fault = device_fault(error); fault != DeviceFault::none) return of_device(fault, error);
        return of_library(error.what());
    }
}

}  // namespace kinescope
