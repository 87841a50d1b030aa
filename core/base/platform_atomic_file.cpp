#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/api/error.h"
#include "core/base/full_disk.h"
#include "core/base/platform_rename.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

[[noreturn]] void throw_not_written(const std::filesystem::path& target, const std::string& reason) {
    throw Error(ErrorCode::output_not_writable, "Cannot write " + target.string() + ": " + reason,
                "Check that the folder exists and that you have write permission.", {{"path", target.string()}});
}

[[noreturn]] void throw_not_written(const std::filesystem::path& target, int error) {
    if (const Shortage shortage = shortage_of(error); shortage != Shortage::none)
        throw full_disk(shortage, {.file = target});
    throw_not_written(target, std::generic_category().message(error));
}

/// Creates a new file "<target>.<pid>-<attempt>.part". Returns its descriptor, or -1 and sets errno.
int create_beside(const std::filesystem::path& target, FileAccess access, std::filesystem::path& temporary) {
    const mode_t mode = access == FileAccess::shared ? 0666 : 0600;
    for (int attempt = 0;; ++attempt) {
        temporary = target;
        temporary += "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
        const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST || attempt == 1000) return fd;
    }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, FileAccess access) : target_(std::move(target)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(target_, ignored)) throw_not_written(target_, EISDIR);
    if (is_pipe_or_device(target_)) throw_not_written(target_, "it is a pipe or a device, not a regular file");
    fd_ = create_beside(target_, access, temporary_);
    if (fd_ < 0) throw_not_written(target_, errno);
}

AtomicFile::~AtomicFile() {
    if (fd_ < 0) return;
    ::close(fd_);
    ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(fd_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw_not_written(target_, errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::sync() const {
    if (::fsync(fd_) != 0 && errno != EINVAL) throw_not_written(target_, errno);
}

void AtomicFile::end() {
    ::close(std::exchange(fd_, -1));
    sync_folder(target_.parent_path());
}

void AtomicFile::commit() {
    sync();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_not_written(target_, errno);
    end();
}

bool AtomicFile::commit_new() {
    sync();
    const int error = rename_without_replacing(temporary_, target_);
    if (error == EEXIST) return false;
    if (error != 0) throw_not_written(target_, error);
    end();
    return true;
}

void sync_folder(const std::filesystem::path& folder) {
    const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

void write_file_atomically(const std::filesystem::path& target, std::string_view text, FileAccess access) {
    AtomicFile file(target, access);
    file.write(text);
    file.commit();
}

bool write_new_file(const std::filesystem::path& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    return file.commit_new();
}

}  // namespace kinescope
