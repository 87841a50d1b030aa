#pragma once

#include <dirent.h>
#include <dlfcn.h>

#include <atomic>
#include <cerrno>

namespace kinescope::testing {

/// The number of calls of readdir() until it fails; -1: it does not fail.
inline std::atomic<int> readdir_calls_left = -1;

/// While it exists, no folder can be read to its end, as on a disk that fails.
class FailingReaddir {
public:
    explicit FailingReaddir(int calls) { readdir_calls_left = calls; }
    ~FailingReaddir() { readdir_calls_left = -1; }
    FailingReaddir(const FailingReaddir&) = delete;
    FailingReaddir& operator=(const FailingReaddir&) = delete;
};

}  // namespace kinescope::testing

/// Replaces the function of the C library for this program and its libraries.
extern "C" __attribute__((visibility("default"))) dirent* readdir(DIR* folder) {
    using Readdir = dirent* (*)(DIR*);
    static const auto original = reinterpret_cast<Readdir>(::dlsym(RTLD_NEXT, "readdir"));
    auto& left = kinescope::testing::readdir_calls_left;
    if (left == 0) {
        errno = EIO;
        return nullptr;
    }
    if (left > 0) --left;
    return original(folder);
}
