// Linked into tests of kernels, so that KINESCOPE_CPU selects their level before main(). Such a test ends as skipped if
// this processor does not have the level, or if it is the level that the test without KINESCOPE_CPU uses.
#include <cstdio>
#include <cstdlib>

#include "core/api/error.h"
#include "core/device/cpu_level.h"

namespace {

constexpr int kSkipped = 77;

bool limit() {
    using namespace kinescope;
    const char* const level = std::getenv("KINESCOPE_CPU");
    if (level == nullptr) return false;
    if (to_string(cpu_level()) == level) {
        std::puts("the test without KINESCOPE_CPU uses this level");
        std::_Exit(kSkipped);
    }
    try {
        limit_cpu_level();
    } catch (const Error& error) {
        std::puts(error.what());
        std::_Exit(error.code() == ErrorCode::unsupported ? kSkipped : EXIT_FAILURE);
    }
    return true;
}

const bool is_limited = limit();

}  // namespace
