#include "app/cli/interrupt.h"

#include <csignal>

namespace kinescope::cli {
namespace {

volatile std::sig_atomic_t received = 0;

void use_default() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

extern "C" void remember_signal(int signal) {
    received = signal;
    use_default();
}

}  // namespace

InterruptGuard::InterruptGuard() {
    received = 0;
    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
}

InterruptGuard::~InterruptGuard() {
    use_default();
}

bool InterruptGuard::interrupted() const {
    return received != 0;
}

}  // namespace kinescope::cli
