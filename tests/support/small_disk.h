#pragma once

#include <sys/resource.h>

#include <csignal>

namespace kinescope::testing {

/// Limits the size of files of a process to `bytes`, which simulates a full disk without privileges. The kernel
/// reports EFBIG instead of ENOSPC; the program handles both the same way.
class SmallDisk {
public:
    /// `process`: 0 is this one. Another one must ignore SIGXFSZ itself.
    explicit SmallDisk(rlim_t bytes, pid_t process = 0) : process_(process) {
        if (process == 0) std::signal(SIGXFSZ, SIG_IGN);
        ::prlimit(process, RLIMIT_FSIZE, nullptr, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::prlimit(process, RLIMIT_FSIZE, &limit, nullptr);
    }
    ~SmallDisk() { ::prlimit(process_, RLIMIT_FSIZE, &before_, nullptr); }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    pid_t process_;
    rlimit before_{};
};

}  // namespace kinescope::testing
