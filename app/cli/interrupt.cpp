#include "app/cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace kinescope::cli {
namespace {

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t handles_interrupt = 0;  ///< SIGINT was not ignored at the start
volatile std::sig_atomic_t handles_hangup = 0;     ///< the same for SIGHUP

extern "C" void remember_signal(int signal) {
    if (received == 0) received = signal;
    // A closed terminal and the end of a session send further signals while the work is saved.
    if (signal != SIGUSR1 && handles_interrupt != 0) std::signal(SIGINT, SIG_DFL);
}

/// Handles a signal, unless the caller of the program ignores it. Returns true if it is handled.
bool handle_unless_ignored(int signal) {
    if (std::signal(signal, SIG_IGN) == SIG_IGN) return false;
    std::signal(signal, remember_signal);
    return true;
}

}  // namespace

InterruptGuard::InterruptGuard() {
    received = 0;
    // nohup ignores SIGHUP, and a shell without job control ignores SIGINT of a background command.
    handles_interrupt = handle_unless_ignored(SIGINT);
    handles_hangup = handle_unless_ignored(SIGHUP);
    // The script of a Slurm task ignores SIGUSR1 for itself only.
    for (const int signal : {SIGTERM, SIGUSR1}) std::signal(signal, remember_signal);
    // If the reader of stdout exits (`| head`), the run must not end while it writes a file.
    std::signal(SIGPIPE, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
    if (handles_interrupt != 0) std::signal(SIGINT, SIG_DFL);
    // After a stop, further signals of a closed terminal must not change the exit code.
    if (handles_hangup != 0 && received == 0) std::signal(SIGHUP, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    // A batch system may repeat its announcement while the process exits, which must not change the exit code.
    std::signal(SIGUSR1, SIG_IGN);
}

Interrupt InterruptGuard::interrupt() const {
    if (received == 0) return Interrupt::none;
    if (received == SIGUSR1) return Interrupt::time_limit;
    return received == SIGINT ? Interrupt::cancel : Interrupt::shutdown;
}

}  // namespace kinescope::cli
