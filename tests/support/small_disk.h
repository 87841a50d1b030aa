#pragma once

#include <sys/resource.h>

#include <csignal>

namespace kinescope::testing {

/// Lets this process write at most `bytes` to a file: the nearest to a full disk that needs no rights. The kernel's
/// answer is EFBIG where a full disk's is ENOSPC; both go the same way.
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
