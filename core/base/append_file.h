#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace kinescope {

/// An append-only text file. Each append is one write(2), so lines of several programs that share the file never mix.
/// Symbolic links are refused unless they point to a device or a pipe (/dev/stderr), because another user could plant
/// them in a shared folder.
class AppendFile {
public:
    AppendFile() = default;
    /// Opens or creates the file and its folders. Throws Error(output_not_writable).
    explicit AppendFile(std::filesystem::path file);
    ~AppendFile() { close(); }
    AppendFile(AppendFile&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
    AppendFile& operator=(AppendFile&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(fd_, other.fd_);
        return *this;
    }

    const std::filesystem::path& path() const { return path_; }
    bool is_open() const { return fd_ >= 0; }
    void close() noexcept;

    /// Locks the file until it is closed. Throws Error(output_exists) if another object holds the lock.
    void reserve() const;
    std::int64_t size() const noexcept;
    /// Truncates the file. Returns 0 on success, otherwise the value of errno.
    int cut_to(std::int64_t bytes) const noexcept;
    /// Appends text. Returns 0 on success, otherwise the value of errno.
    int append(std::string_view text) const noexcept;

private:
    std::filesystem::path path_;
    int fd_ = -1;
};

}  // namespace kinescope
