#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/append_file.h"

namespace kinescope {

/// A text file that grows record by record. If the disk is full, the file is truncated after its last complete record
/// and closed.
class LogFile {
public:
    /// Truncates a file of an earlier process to `kept` bytes and appends to it. A file that is shorter than `kept`
    /// becomes empty. If `path` is empty, nothing is written. Creates missing folders. Throws
    /// Error(output_not_writable), or Error(output_exists) if another run is writing the file.
    LogFile(const std::filesystem::path& path, std::int64_t kept);

    bool is_open() const { return file_.is_open(); }
    /// Appends records. Returns the reason if the file had to be closed, otherwise an empty string.
    std::string append(std::string_view records);
    /// Returns the length of all complete records in bytes.
    std::int64_t length() const { return length_; }
    /// Returns false if records are missing at the end.
    bool is_whole() const { return is_whole_; }

private:
    std::string give_up(int error_number);

    AppendFile file_;
    std::int64_t length_ = 0;
    bool is_whole_ = true;
};

}  // namespace kinescope
