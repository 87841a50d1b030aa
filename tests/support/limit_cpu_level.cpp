// Linked into tests of kernels, so that KINESCOPE_CPU selects their level before main(). Such a test ends as skipped if
// this processor does not have the level, or if it is the level that the test without KINESCOPE_CPU uses.
#include <cstdio>
#include <cstdlib>

#include "core/api/error.h"
#include "core/device/cpu_level.h"

namespace {

constexpr int kSkipped = 77;

/// Ends the process. The reason goes to the standard error, because _Exit() drops what stdout buffers.
[[noreturn]] void end(const char* reason, int code) {
    std::fprintf(stderr, "%s\n", reason);
    std::_Exit(code);
}

bool limit() {
    using namespace kinescope;
    const char* const level = std::getenv("KINESCOPE_CPU");
    if (level == nullptr) return false;
    if (to_string(cpu_level()) == level) end("the test without KINESCOPE_CPU uses this level", kSkipped);
    try {
        limit_cpu_level();
    } catch (const Error& error) {
        end(error.what(), error.code() == ErrorCode::unsupported ? kSkipped : EXIT_FAILURE);
    }
    return true;
}

const bool is_limited = limit();

}  // namespace
