#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace kinescope {

/// Who may read a new file, as far as the umask allows it.
enum class FileAccess { shared, owner_only };

/// A file that appears under its name only when it is whole: written to a temporary name beside the target, flushed to
/// the disk, renamed. Without commit() nothing is left, and a file that was there before stays as it was.
/// Every method throws Error(output_not_writable or disk_full) that names the target.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target, FileAccess access = FileAccess::shared);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Replaces the target. Nothing can be written afterwards.
    void commit();

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_; }

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    int fd_ = -1;
};

/// Makes names that were just made in `folder` survive a power cut, as well as its file system can.
void sync_folder(const std::filesystem::path& folder);

/// A whole text file in one go.
void write_file_atomically(const std::filesystem::path& target, std::string_view text,
                           FileAccess access = FileAccess::shared);

}  // namespace kinescope
