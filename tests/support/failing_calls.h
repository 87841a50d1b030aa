#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

namespace kinescope::testing {

/// Calls a function in a thread in which a system call fails. Returns false if the kernel does not allow that.
template <typename Function>
bool call_with_error(std::uint32_t system_call, std::uint32_t error, Function function) {
    bool is_called = false;
    std::thread([&] {
        std::array<sock_filter, 4> filter{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, system_call, 0, 1),
                                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
        const sock_fprog program{.len = filter.size(), .filter = filter.data()};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        is_called = ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
        if (is_called) function();
    }).join();
    return is_called;
}

/// Calls a function in a thread whose files cannot be synced, as if the user's quota were used up.
template <typename Function>
bool call_beyond_quota(Function function) {
    return call_with_error(SYS_fsync, EDQUOT, std::move(function));
}

}  // namespace kinescope::testing
