#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/open_file.h"

namespace kinescope {

/// Writes a file atomically: to a temporary file next to the target, which commit() flushes to the disk and renames.
/// Without commit(), the temporary file is deleted and the target stays unchanged. Every method throws
/// Error(output_not_writable or disk_full), which names the target.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target, FileAccess access = FileAccess::shared);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Replaces the target. No write is allowed afterwards.
    void commit();
    /// Gives the temporary file the name of the target. Returns false if the target exists; the temporary file then
    /// remains until this object is destroyed.
    bool commit_new();

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_; }

private:
    void sync();
    void end();

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    OpenFile file_;
};

/// Flushes a folder's directory entries to the disk, so that new names survive a power failure. Ignores errors.
void sync_folder(const std::filesystem::path& folder);

/// Writes a complete text file with AtomicFile.
void write_file_atomically(const std::filesystem::path& target, std::string_view text,
                           FileAccess access = FileAccess::shared);

/// Writes a new file atomically. Returns false and leaves the file unchanged if it exists. If several programs write
/// the same new file, exactly one of them gets true.
bool write_new_file(const std::filesystem::path& target, std::string_view text);

}  // namespace kinescope
