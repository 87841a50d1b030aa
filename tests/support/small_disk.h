#pragma once

#include <sys/resource.h>

#include <csignal>

namespace kinescope::testing {

/// Limits the size of files of this process to `bytes`, which simulates a full disk without privileges. The kernel
/// reports EFBIG instead of ENOSPC; the program handles both the same way.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

private:
    rlimit before_{};
};

}  // namespace kinescope::testing
