#include "core/media/pending_file.h"

#include <cerrno>
#include <utility>

#include "core/base/platform_rename.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

fs::path checked_target(fs::path target, OverwriteMode overwrite) {
    std::error_code ignored;
    if (fs::is_directory(target, ignored))
        throw Error(ErrorCode::output_exists, target.string() + " is a folder, but the output is a file",
                    "Choose another name.", {{"path", target.string()}});
    if (is_pipe_or_device(target))
        throw Error(ErrorCode::output_not_writable,
                    target.string() + " is a pipe or a device, but the output is a file", "Choose another name.",
                    {{"path", target.string()}});
    const bool taken = fs::exists(fs::symlink_status(target, ignored));
    if (taken && overwrite == OverwriteMode::refuse) throw output_error(EEXIST, target);
    return target;
}

}  // namespace

PendingFile::PendingFile(fs::path target, OverwriteMode overwrite, const std::string& mark)
    : target_(checked_target(std::move(target), overwrite)), overwrite_(overwrite), parents_(target_) {
    int error_number = EEXIST;
    while (error_number == EEXIST) {
        temporary_ = temporary_name(target_, mark);
        error_number = file_.open(temporary_, OpenFile::Existing::refused);
    }
    if (error_number != 0) throw output_error(error_number, target_);
}

PendingFile::~PendingFile() {
    file_.close();
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

int PendingFile::write(std::span<const std::uint8_t> bytes) noexcept {
    const int error_number = file_.write(std::as_bytes(bytes));
    if (error_number_ == 0) error_number_ = error_number;
    return -error_number;
}

std::int64_t PendingFile::seek(std::int64_t offset, int whence) noexcept {
    return file_.seek(offset, whence);
}

std::int64_t PendingFile::size() const noexcept {
    return file_.size();
}

void PendingFile::read(std::span<std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const std::int64_t count = file_.read(std::as_writable_bytes(bytes));
        if (count <= 0) throw write_error(count < 0 ? static_cast<int>(-count) : EIO, target_, size());
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
    if (const int error_number = file_.sync(); error_number != 0) throw write_error(error_number, target_, bytes);
    if (const int error_number = file_.close(); error_number != 0) throw write_error(error_number, target_, bytes);
    take_name();
    temporary_.clear();
    parents_.keep();
    sync_folder(target_.parent_path());
    return target_;
}

void PendingFile::take_name() {
    if (overwrite_ == OverwriteMode::overwrite) {
        std::error_code error;
        fs::rename(temporary_, target_, error);
        if (error) throw output_error(error.value(), target_);
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
