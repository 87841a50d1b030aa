#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kinescope {

/// A regular file, open for reading. Other files are refused, because paths are untrusted: a named pipe would block,
/// and a device may be endless.
class RegularFile {
public:
    /// Opens a file. Throws Error(file_not_found or file_unreadable).
    explicit RegularFile(const std::filesystem::path& file);
    ~RegularFile();
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;

    int descriptor() const { return descriptor_; }
    std::uintmax_t size() const { return size_; }
    /// Returns `size` bytes at `offset`, or fewer if the file ends before. Throws Error(file_unreadable).
    std::string read(std::uintmax_t offset, std::size_t size) const;
    /// Returns the content. Throws Error(file_unreadable), also if the file was truncated since it was opened.
    std::string read_all() const;

private:
    const std::filesystem::path path_;
    int descriptor_;
    std::uintmax_t size_ = 0;
};

/// Returns true for a pipe, a socket or a device, or a link to one. Renaming a file to such a name would replace it.
bool is_pipe_or_device(const std::filesystem::path& path);

/// Reads a regular file of up to `max_bytes`. Throws Error(file_not_found or file_unreadable).
std::string read_regular_file(const std::filesystem::path& file, std::uintmax_t max_bytes);

}  // namespace kinescope
