#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace kinescope {

/// A text file that grows at its end. Each append is one write(2), so that lines of several programs that share the
/// file never mix. A symbolic link is refused unless it leads to a device or a pipe (/dev/stderr): another user may
/// have planted it in a shared folder.
class AppendFile {
public:
    AppendFile() = default;
    /// Makes missing folders. Throws Error(output_not_writable).
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

    /// Reserves the file for this object until it is closed. Throws Error(output_exists) if another one has it.
    void reserve() const;
    std::int64_t size() const noexcept;
    /// Cuts the file. Returns 0 or the errno.
    int cut_to(std::int64_t bytes) const noexcept;
    /// Returns 0 or the errno.
    int append(std::string_view text) const noexcept;

private:
    std::filesystem::path path_;
    int fd_ = -1;
};

}  // namespace kinescope
