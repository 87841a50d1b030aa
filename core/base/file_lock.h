#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace kinescope {

/// A lock between processes, by a file that stays where it is. The kernel gives it back when the process ends, however
/// it ends.
class FileLock {
public:
    /// Makes the file where it is missing. nullopt: another process, or another FileLock of this one, has it, or the
    /// folder is gone or cannot be written.
    static std::optional<FileLock> take(const std::filesystem::path& file);
    /// Whether someone has it now.
    static bool is_taken(const std::filesystem::path& file);

    ~FileLock();
    FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;
};

}  // namespace kinescope
