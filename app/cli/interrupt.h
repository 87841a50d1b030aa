#pragma once

namespace kinescope::cli {

/// While it lives, the first Ctrl+C (SIGINT) or SIGTERM is remembered instead of ending the process; the second one
/// ends it as usual. One at a time: signals belong to the process.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool interrupted() const;
};

}  // namespace kinescope::cli
