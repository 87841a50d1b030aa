#include "core/media/pending_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/platform_rename.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

fs::path checked_target(fs::path target, OverwriteMode overwrite) {
    std::error_code ignored;
    if (fs::is_directory(target, ignored))
        throw Error(ErrorCode::output_exists, target.string() + " is a folder, but the output is a file",
                    "Choose another name.", {{"path", target.string()}});
    const bool taken = fs::exists(fs::symlink_status(target, ignored));
    if (taken && overwrite == OverwriteMode::refuse) throw output_error(EEXIST, target);
    return target;
}

}  // namespace

PendingFile::PendingFile(fs::path target, OverwriteMode overwrite, const std::string& mark)
    : target_(checked_target(std::move(target), overwrite)), overwrite_(overwrite), parents_(target_) {
    do {
        temporary_ = temporary_name(target_, mark);
        descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) throw output_error(errno, target_);
}

PendingFile::~PendingFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

int PendingFile::write(std::span<const std::uint8_t> bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            if (error_number_ == 0) error_number_ = errno;
            return -errno;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

std::int64_t PendingFile::seek(std::int64_t offset, int whence) noexcept {
    const off_t position = ::lseek(descriptor_, offset, whence);
    return position < 0 ? -errno : position;
}

std::int64_t PendingFile::size() const noexcept {
    struct stat status {};
    return ::fstat(descriptor_, &status) == 0 ? status.st_size : 0;
}

void PendingFile::read(std::span<std::uint8_t> bytes) const {
    while (!bytes.empty()) {
        const ssize_t count = ::read(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw write_error(count < 0 ? errno : EIO, target_, size());
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

void PendingFile::throw_if_failed() const {
    if (error_number_ != 0) throw write_error(error_number_, target_, size());
    throw_if_lost(temporary_, target_);  // otherwise libav, which reopens the file by name, reports an encoder error
}

fs::path PendingFile::commit() {
    throw_if_failed();
    const std::int64_t bytes = size();
    // Some file systems (NFS, or with quotas) report a full disk only here.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) throw write_error(errno, target_, bytes);
    if (::close(std::exchange(descriptor_, -1)) != 0) throw write_error(errno, target_, bytes);
    take_name();
    temporary_.clear();
    parents_.keep();
    sync_folder(target_.parent_path());
    return target_;
}

void PendingFile::take_name() {
    if (overwrite_ == OverwriteMode::overwrite) {
        if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw output_error(errno, target_);
        return;
    }
    const int error_number = rename_without_replacing(temporary_, target_);
    if (error_number == 0) return;
    if (error_number != EEXIST) throw output_error(error_number, target_);
    const fs::path kept = keep_beside(temporary_, target_);
    if (kept.empty()) throw output_error(error_number, target_);
    temporary_.clear();
    parents_.keep();
    throw Error(
        ErrorCode::output_exists,
        target_.string() + " appeared while the video was generated; the new video was saved as " + kept.string(),
        "Rename one of the two.", {{"path", target_.string()}, {"kept", kept.string()}});
}

}  // namespace kinescope
