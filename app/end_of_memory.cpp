#include "app/end_of_memory.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace kinescope {
namespace {

constexpr std::string_view kMessage =
    "error[out_of_memory]: out of memory\n"
    "hint: Close other programs, or raise this program's memory limit. Started jobs are saved: "
    "kinescope-cli resume --last\n";

std::terminate_handler former_handler = nullptr;

/// Returns true if the current exception reports lack of memory. A thread that cannot be started for this reason throws
/// system_error.
bool is_out_of_memory() {
    try {
        if (const auto exception = std::current_exception()) std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const std::system_error& error) {
        return error.code().value() == EAGAIN || error.code().value() == ENOMEM;
    } catch (...) {
    }
    return false;
}

/// Ends the program. Must not allocate memory.
[[noreturn]] void end() {
    if (is_out_of_memory()) {
        // If the message cannot be written, the exit code still reports the failure.
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
        ::_exit(1);
    }
    if (former_handler != nullptr) former_handler();
    std::abort();
}

}  // namespace

void explain_end_of_memory() {
    former_handler = std::set_terminate(end);
}

}  // namespace kinescope
