#pragma once

namespace kinescope::cli {

/// Meaning of the first signal.
enum class Interrupt {
    none,
    cancel,     ///< SIGINT: the user cancels the run
    shutdown,   ///< SIGTERM, SIGHUP: the system or the terminal shuts down; the work is saved
    time_limit  ///< SIGUSR1: a batch system announces the end of the job's time; the work is saved
};

/// During its lifetime, the first SIGINT (Ctrl+C), SIGTERM, SIGHUP or SIGUSR1 is recorded. Further ones do nothing,
/// because a closed terminal, the end of a session and a batch system send several; only SIGINT ends the process then,
/// except after SIGUSR1. SIGINT and SIGHUP stay ignored if they were ignored before (nohup, background commands).
/// Afterwards, the process ignores SIGUSR1. Only one object may exist at a time, because signal handlers belong to the
/// process.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    Interrupt interrupt() const;
};

}  // namespace kinescope::cli
