#include "app/cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace kinescope::cli {
namespace {

volatile std::sig_atomic_t received = 0;

void use_default() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
}

extern "C" void remember_signal(int signal) {
    received = signal;
    use_default();
}

}  // namespace

InterruptGuard::InterruptGuard() {
    received = 0;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, remember_signal);
    // If the reader of stdout exits (`| head`), the run must not end while it writes a file.
    std::signal(SIGPIPE, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
    use_default();
}

Interrupt InterruptGuard::interrupt() const {
    if (received == 0) return Interrupt::none;
    return received == SIGINT ? Interrupt::cancel : Interrupt::shutdown;
}

}  // namespace kinescope::cli
