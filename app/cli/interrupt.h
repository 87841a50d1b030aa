#pragma once

namespace kinescope::cli {

/// What the first signal asks for.
enum class Interrupt {
    none,
    cancel,   ///< SIGINT: the user does not want the video
    shutdown  ///< SIGTERM, SIGHUP: the system or the terminal goes away, the work is still wanted
};

/// While it lives, the first SIGINT (Ctrl+C), SIGTERM or SIGHUP is remembered instead of ending the process; the second
/// one ends it as usual. One at a time: signals belong to the process.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    Interrupt interrupt() const;
};

}  // namespace kinescope::cli
