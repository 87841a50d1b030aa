#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/api/video_request.h"
#include "core/base/open_file.h"
#include "core/media/output_path.h"

namespace kinescope {

/// A file that is written under a temporary name next to its target and renamed when it is complete. Destroying the
/// object before commit() removes the file.
class PendingFile {
public:
    /// Creates the file, and its missing parent folders. For `mark`, see temporary_name. Throws Error(output_exists,
    /// output_not_writable, disk_full).
    PendingFile(std::filesystem::path target, OverwriteMode overwrite, const std::string& mark = {});
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }

    /// Callbacks for C libraries. They return 0 or the new position, or a negative errno. The errno of a failed write
    /// is recorded for throw_if_failed(), because libav does not report all of them.
    int write(std::span<const std::uint8_t> bytes) noexcept;
    std::int64_t seek(std::int64_t offset, int whence) noexcept;
    std::int64_t size() const noexcept;

    /// Fills `bytes` from the current position. Throws Error(encode_failed) if the file is too short.
    void read(std::span<std::uint8_t> bytes);

    /// Throws Error(disk_full, encode_failed) if a previous write failed.
    void throw_if_failed() const;

    /// Syncs and renames the file. If another file took the name in the meantime, keeps this file under a free name and
    /// throws Error(output_exists), with that name in the message and in arguments()["kept"].
    std::filesystem::path commit();

private:
    void take_name();

    std::filesystem::path target_;
    OverwriteMode overwrite_;
    ParentFolders parents_;
    std::filesystem::path temporary_;
    OpenFile file_;
    int error_number_ = 0;
};

}  // namespace kinescope
