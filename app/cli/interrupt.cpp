#include "app/cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace kinescope::cli {
namespace {

volatile std::sig_atomic_t received = 0;

constexpr std::initializer_list<int> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

void use_default() {
    for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

extern "C" void remember_signal(int signal) {
    if (received == 0) received = signal;
    if (signal != SIGUSR1) use_default();
}

}  // namespace

InterruptGuard::InterruptGuard() {
    received = 0;
    for (const int signal : kSignals) std::signal(signal, remember_signal);
    // If the reader of stdout exits (`| head`), the run must not end while it writes a file.
    std::signal(SIGPIPE, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
    use_default();
    // A batch system may repeat its announcement while the process exits, which must not change the exit code.
    std::signal(SIGUSR1, SIG_IGN);
}

Interrupt InterruptGuard::interrupt() const {
    if (received == 0) return Interrupt::none;
    if (received == SIGUSR1) return Interrupt::time_limit;
    return received == SIGINT ? Interrupt::cancel : Interrupt::shutdown;
}

}  // namespace kinescope::cli
