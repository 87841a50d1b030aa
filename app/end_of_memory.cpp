#include "app/end_of_memory.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include "core/base/memory_limits.h"

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

[[noreturn]] void end_with_message() {
    // If the message cannot be written, the exit code still reports the failure.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(1);
}

/// Ends the program. Must not allocate memory.
[[noreturn]] void end() {
    if (is_out_of_memory()) end_with_message();
    if (former_handler != nullptr) former_handler();
    std::abort();
}

/// oneDNN uses the results of failed allocations, which ends the program with SIGSEGV.
void explain_fault(int signal) {
    constexpr std::int64_t kLittle = std::int64_t{96} << 20;
    if (is_near_process_limit(kLittle)) end_with_message();
    std::signal(signal, SIG_DFL);  // the instruction is repeated and ends the program
}

void explain() {
    const ProcessLimits limits = read_process_limits();
    if (limits.address_space || limits.data_segment) std::signal(SIGSEGV, explain_fault);
    const auto former = std::set_terminate(end);
    if (former != end) former_handler = former;
}

/// Runs before the initializers of the libraries, which need most of the memory at the start of the program.
void explain_before_libraries(int, char**, char**) {
    explain();
}
[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)(int, char**, char**) = explain_before_libraries;

}  // namespace

void explain_end_of_memory() {
    explain();
}

}  // namespace kinescope
