#pragma once

#include <spawn.h>

#include <array>
#include <csignal>

namespace kinescope {

/// Terminals, service managers and batch systems send these signals to all processes of a program. The parent decides
/// what they mean.
inline constexpr std::array kShieldedSignals{SIGINT, SIGTERM, SIGHUP, SIGUSR1};

/// Attributes with which posix_spawn starts a child that the shielded signals do not end.
class ShieldedSpawn {
public:
    ShieldedSpawn() {
        posix_spawnattr_init(&attributes_);
        sigset_t blocked{};
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);  // returns the mask of this thread
        for (const int signal : kShieldedSignals) sigaddset(&blocked, signal);
        posix_spawnattr_setsigmask(&attributes_, &blocked);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    ~ShieldedSpawn() { posix_spawnattr_destroy(&attributes_); }
    ShieldedSpawn(const ShieldedSpawn&) = delete;
    ShieldedSpawn& operator=(const ShieldedSpawn&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

}  // namespace kinescope
