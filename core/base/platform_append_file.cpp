#include "core/base/append_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/api/error.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

Error not_writable(const fs::path& file, const std::string& reason) {
    return {ErrorCode::output_not_writable,
            "Cannot write to the log '" + file.string() + "': " + reason,
            "Choose another file.",
            {{"path", file.string()}, {"reason", reason}}};
}

bool is_stream(int fd) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode));
}

int open_through_link(const fs::path& file) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && is_stream(fd)) {
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        return fd;
    }
    if (fd >= 0) ::close(fd);
    throw not_writable(file, "it is a symbolic link");
}

int open_for_append(const fs::path& file) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd >= 0) return fd;
    if (errno == ELOOP) return open_through_link(file);
    throw not_writable(file, std::generic_category().message(errno));
}

}  // namespace

AppendFile::AppendFile(fs::path file) : path_(std::move(file)) {
    std::error_code ignored;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), ignored);
    fd_ = open_for_append(path_);
}

void AppendFile::close() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void AppendFile::reserve() const {
    // Other errors come from file systems without locks. The file is then used without a lock.
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw Error(ErrorCode::output_exists, "Another run is writing the log '" + path_.string() + "'",
                "Choose another file.", {{"path", path_.string()}});
}

std::int64_t AppendFile::size() const noexcept {
    struct stat status {};
    return ::fstat(fd_, &status) == 0 ? status.st_size : 0;
}

int AppendFile::cut_to(std::int64_t bytes) const noexcept {
    return is_stream(fd_) || ::ftruncate(fd_, bytes) == 0 ? 0 : errno;
}

int AppendFile::append(std::string_view text) const noexcept {
    while (!text.empty()) {
        const ssize_t count = ::write(fd_, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

}  // namespace kinescope
