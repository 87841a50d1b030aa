#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/api/video_request.h"
#include "core/media/output_path.h"

namespace kinescope {

/// A file that is written under a temporary name beside its target and gets its own name when it is whole.
/// Destroyed before commit(), it leaves nothing behind.
class PendingFile {
public:
    /// Creates missing parent folders too. Throws Error(output_exists, output_not_writable, disk_full).
    /// `mark`: see temporary_name.
    PendingFile(std::filesystem::path target, OverwriteMode overwrite, const std::string& mark = {});
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }

    /// For callbacks out of C libraries. Return 0 (or the new position), or a negative errno that is also kept for
    /// throw_if_failed(): libav forgets some of them.
    int write(std::span<const std::uint8_t> bytes) noexcept;
    std::int64_t seek(std::int64_t offset, int whence) noexcept;
    std::int64_t size() const noexcept;

    /// Fills `bytes` from the current position. Throws Error(encode_failed) where the file has fewer.
    void read(std::span<std::uint8_t> bytes) const;

    /// Throws Error(disk_full, encode_failed) when any write so far failed.
    void throw_if_failed() const;

    /// Syncs and renames. Throws Error; with output_exists (someone took the name meanwhile) the file is kept under the
    /// free name that the message and arguments()["kept"] say.
    std::filesystem::path commit();

private:
    void take_name();

    std::filesystem::path target_;
    OverwriteMode overwrite_;
    ParentFolders parents_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
    int error_number_ = 0;
};

}  // namespace kinescope
