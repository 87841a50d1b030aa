#include "core/base/number_locks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/log_line.h"

namespace kinescope {

namespace {

// These locks belong to the open file, not to the process, so that two objects in one process exclude each other as
// well.
#ifdef F_OFD_SETLK
constexpr int kSetLock = F_OFD_SETLK;
constexpr int kGetLock = F_OFD_GETLK;
#else
constexpr int kSetLock = F_SETLK;
constexpr int kGetLock = F_GETLK;
#endif

/// Describes a lock on the byte at the offset `number`. The file itself stays empty.
struct flock byte_of(std::int64_t number, short type) {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = static_cast<off_t>(number);
    range.l_len = 1;
    return range;
}

/// Such as Lustre that is mounted without flock, or NFS without its lock service.
bool is_of_file_system_without_locks(int error) {
    return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP;
}

}  // namespace

NumberLocks::~NumberLocks() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool NumberLocks::still_has_its_name() const {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor_, &opened) == 0 && ::stat(file_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

bool NumberLocks::open_file() {
    if (descriptor_ >= 0 && still_has_its_name()) return true;
    if (descriptor_ >= 0) ::close(descriptor_);  // the file was deleted, so this lock would not exclude anyone
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return descriptor_ >= 0;
}

NumberLocks::Outcome NumberLocks::take(std::int64_t number) {
    if (held_.contains(number)) return Outcome::busy;
    if (!open_file()) return Outcome::failed;
    struct flock range = byte_of(number, F_WRLCK);
    if (::fcntl(descriptor_, kSetLock, &range) != 0) {
        if (errno == EAGAIN || errno == EACCES) return Outcome::busy;
        if (rule_ == WithoutLocks::fail || !is_of_file_system_without_locks(errno)) return Outcome::failed;
        warn_once(errno);
    }
    held_.insert(number);
    return Outcome::taken;
}

void NumberLocks::warn_once(int error) {
    if (!has_warned_)
        log_warning("'" + file_.parent_path().string() +
                    "' cannot be locked: " + std::generic_category().message(error) +
                    ". Do not use this folder in two programs at the same time.");
    has_warned_ = true;
}

void NumberLocks::release(std::int64_t number) {
    held_.erase(number);
    struct flock range = byte_of(number, F_UNLCK);
    if (descriptor_ >= 0) ::fcntl(descriptor_, kSetLock, &range);
}

bool NumberLocks::is_taken(std::int64_t number) {
    if (held_.contains(number)) return true;
    if (!open_file()) return false;
    struct flock range = byte_of(number, F_WRLCK);
    return ::fcntl(descriptor_, kGetLock, &range) == 0 && range.l_type != F_UNLCK;
}

}  // namespace kinescope
