#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace kinescope {

/// Who can access a new file or folder: everyone that the umask allows, or only its owner.
enum class FileAccess { shared, owner_only };

/// A file that is open for reading and writing. Destroying the object closes it. Methods that return an int return 0 on
/// success, otherwise the value of errno.
class OpenFile {
public:
    /// What open() does if the file exists.
    enum class Existing {
        refused,  ///< it fails with EEXIST
        kept,     ///< it opens the file
    };

    OpenFile() = default;
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// Opens a file. Creates it if it is missing.
    int open(const std::filesystem::path& file, Existing existing, FileAccess access = FileAccess::shared);
    /// Writes all bytes at the current position.
    int write(std::span<const std::byte> bytes);
    /// Reads from the current position. Returns the number of bytes, 0 at the end of the file, or a negative errno.
    std::int64_t read(std::span<std::byte> bytes);
    /// Moves the current position as lseek() does. Returns the new position, or a negative errno.
    std::int64_t seek(std::int64_t offset, int whence);
    std::int64_t size() const;
    /// Removes the contents and moves the current position to the start.
    int clear();
    /// Flushes the contents to the disk. Succeeds for files that cannot be flushed, such as pipes.
    int sync();
    int close();
    bool is_open() const { return descriptor_ >= 0; }

private:
    int descriptor_ = -1;
};

}  // namespace kinescope
