#include "core/jobs/translate_error.h"

#include <c10/util/Exception.h>

#include <filesystem>
#include <new>
#include <string_view>

namespace kinescope {

Error translate_error(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return error;
    } catch (const c10::OutOfMemoryError& error) {
        return {ErrorCode::out_of_memory, std::string("the device is out of memory: ") + error.what_without_backtrace(),
                "Use a smaller size or fewer frames."};
    } catch (const std::bad_alloc&) {
        return {ErrorCode::out_of_memory, "the computer is out of memory", "Use a smaller size or fewer frames."};
    } catch (const c10::Error& error) {
        if (std::string_view(error.what_without_backtrace()).find("DefaultCPUAllocator") != std::string_view::npos)
            return {ErrorCode::out_of_memory, "the computer is out of memory", "Use a smaller size or fewer frames."};
        return {ErrorCode::internal, error.what_without_backtrace(), "This is a bug in Kinescope; please report it."};
    } catch (const std::filesystem::filesystem_error& error) {
        return {ErrorCode::file_unreadable, error.what(), "Check the path and its permissions."};
    } catch (const std::exception& error) {
        return {ErrorCode::internal, error.what(), "This is a bug in Kinescope; please report it."};
    }
}

}  // namespace kinescope
