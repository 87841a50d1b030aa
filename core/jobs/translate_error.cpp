#include "core/jobs/translate_error.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <string_view>

#include "core/device/device_fault.h"

namespace kinescope {

namespace {

constexpr const char* kSmaller = "Use a smaller size or fewer frames.";

Error of_device(DeviceFault fault, const std::exception& error) {
    if (fault == DeviceFault::out_of_memory)
        return {ErrorCode::out_of_memory, "the device is out of memory: " + device_message(error),
                "Close other programs that use the device, or use a smaller size or fewer frames."};
    return {ErrorCode::device_lost,
            "the GPU stopped working: " + device_message(error) +
                "; a fault of the driver, the graphics card or a kernel makes it unusable for this process",
            "Restart Kinescope and continue the job: its finished steps are saved. If it happens again, update the "
            "driver and check the graphics card's temperature, power supply and overclocking.",
            {{"error", device_message(error)}}};
}

bool is_of_main_memory(const c10::Error& error) {
    return std::string_view(error.what_without_backtrace()).find("DefaultCPUAllocator") != std::string_view::npos;
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
    } catch (const c10::Error& error) {
        if (const DeviceFault fault = device_fault(error); fault != DeviceFault::none) return of_device(fault, error);
        if (is_of_main_memory(error)) return {ErrorCode::out_of_memory, "the computer is out of memory", kSmaller};
        return {ErrorCode::internal, error.what_without_backtrace(), "This is a bug in Kinescope; please report it."};
    } catch (const std::exception& error) {
        if (const DeviceFault fault = device_fault(error); fault != DeviceFault::none) return of_device(fault, error);
        return {ErrorCode::internal, error.what(), "This is a bug in Kinescope; please report it."};
    }
}

}  // namespace kinescope
