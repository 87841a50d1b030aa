#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace kinescope {

/// The access rights of a new file: those that the umask allows, or the owner only.
enum class FileAccess { shared, owner_only };

/// Writes a file atomically: to a temporary file next to the target, which commit() flushes to the disk and renames.
/// Without commit(), the temporary file is deleted and the target stays unchanged.
/// Every method throws Error(output_not_writable or disk_full) that names the target.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target, FileAccess access = FileAccess::shared);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Replaces the target. No further write is allowed.
    void commit();

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_; }

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int fd_ = -1;
};

/// Flushes a folder's new names to the disk, so that they survive a power cut. Errors are ignored.
void sync_folder(const std::filesystem::path& folder);

/// Writes a whole text file with AtomicFile.
void write_file_atomically(const std::filesystem::path& target, std::string_view text,
                           FileAccess access = FileAccess::shared);

}  // namespace kinescope
