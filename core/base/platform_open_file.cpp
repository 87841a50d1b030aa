#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/open_file.h"

namespace kinescope {

OpenFile::~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

int OpenFile::open(const std::filesystem::path& file, Existing existing, FileAccess access) {
    const int exclusive = existing == Existing::refused ? O_EXCL : 0;
    const mode_t mode = access == FileAccess::shared ? 0666 : 0600;
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | exclusive, mode);
    return descriptor_ < 0 ? errno : 0;
}

int OpenFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

std::int64_t OpenFile::read(std::span<std::byte> bytes) {
    for (;;) {
        const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
        if (count >= 0) return count;
        if (errno != EINTR) return -errno;
    }
}

std::int64_t OpenFile::seek(std::int64_t offset, int whence) {
    const off_t position = ::lseek(descriptor_, offset, whence);
    return position < 0 ? -errno : position;
}

std::int64_t OpenFile::size() const {
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 ? status.st_size : 0;
}

int OpenFile::clear() {
    return ::ftruncate(descriptor_, 0) == 0 && ::lseek(descriptor_, 0, SEEK_SET) == 0 ? 0 : errno;
}

int OpenFile::sync() {
    return ::fsync(descriptor_) == 0 || errno == EINVAL ? 0 : errno;
}

int OpenFile::close() {
    return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
}

}  // namespace kinescope
