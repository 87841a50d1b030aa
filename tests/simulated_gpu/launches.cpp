#include "tests/simulated_gpu/launches.h"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "tests/simulated_gpu/settings.h"

namespace simulated_gpu {

namespace {

std::atomic<long long> launched{0};
std::atomic<bool> has_failed{false};

bool is_reached(long long limit) {
    return limit >= 0 && launched > limit;
}

[[noreturn]] void fail(const std::string& call) {
    constexpr int kIllegalAddress = 700;
    has_failed = true;
    throw c10::AcceleratorError({__func__, __FILE__, __LINE__}, kIllegalAddress,
                                "CUDA error: an illegal memory access was encountered (simulated, in " + call + ")");
}

/// False if the card fails in one process only, and another one was the first to create the file.
bool may_fail() {
    const char* const mark = setting("SIMULATED_GPU_FAIL_ONCE", "");
    if (*mark == '\0') return true;
    const int file = ::open(mark, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) ::close(file);
    return file >= 0 || errno != EEXIST;
}

}  // namespace

void launch(const std::string& op) {
    static const long long last = number("SIMULATED_GPU_FAIL_AFTER", "-1");
    ++launched;
    if (has_failed) fail(op);
    if (!is_reached(last)) return;
    static const bool fails = may_fail();
    if (fails) fail(op);
}

void require_card(const std::string& call) {
    if (has_failed) fail(call);
}

long launches() {
    return static_cast<long>(launched);
}

bool is_full_now() {
    static const long long after = number("SIMULATED_GPU_FULL_AFTER", "-1");
    static std::atomic<bool> has_been_full{false};
    return is_reached(after) && !has_been_full.exchange(true);
}

std::size_t bytes_of_others() {
    static const long long after = number("SIMULATED_GPU_TAKEN_AFTER", "-1");
    static const auto taken = static_cast<std::size_t>(number("SIMULATED_GPU_TAKEN_KIB", "0")) << 10;
    return static_cast<std::size_t>(foreign_bytes()) + (is_reached(after) ? taken : 0);
}

}  // namespace simulated_gpu
