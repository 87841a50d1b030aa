#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kinescope {

/// A regular file that is open for reading. Paths come from outside: a named pipe would block until somebody writes to
/// it, and a device can be endless, so everything but a regular file is refused.
class RegularFile {
public:
    /// Throws Error(file_not_found or file_unreadable).
    explicit RegularFile(const std::filesystem::path& file);
    ~RegularFile();
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;

    int descriptor() const { return descriptor_; }
    std::uintmax_t size() const { return size_; }

private:
    int descriptor_;
    std::uintmax_t size_ = 0;
};

/// All bytes of a regular file. Throws Error(file_not_found), or Error(file_unreadable), also for a file larger than
/// `max_bytes`.
std::string read_regular_file(const std::filesystem::path& file, std::uintmax_t max_bytes);

}  // namespace kinescope
