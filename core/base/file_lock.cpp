#include "core/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace kinescope {

namespace {

/// Whoever only looks holds the lock for a moment: try for a little longer than that.
bool lock_soon(int descriptor) {
    constexpr int kAttempts = 20;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

/// A file that was deleted while its lock was waited for locks nothing any more.
bool still_has_its_name(int descriptor, const std::filesystem::path& file) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& file) {
    FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.descriptor_ < 0 || !lock_soon(lock.descriptor_) || !still_has_its_name(lock.descriptor_, file))
        return std::nullopt;
    return lock;
}

bool FileLock::is_taken(const std::filesystem::path& file) {
    const FileLock lock(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    return lock.descriptor_ >= 0 && ::flock(lock.descriptor_, LOCK_SH | LOCK_NB) != 0;
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace kinescope
