#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/append_file.h"

namespace kinescope {

/// A text file that grows record by record. If the disk is full, it is cut after its last complete record and closed.
class LogFile {
public:
    /// Cuts a file of an earlier process to `kept` bytes and appends to it. A file that is shorter than `kept` is
    /// emptied. With an empty path nothing is written. Creates missing folders. Throws Error(output_not_writable), or
    /// Error(output_exists) if another run is writing the file.
    LogFile(const std::filesystem::path& path, std::int64_t kept);

    bool is_open() const { return file_.is_open(); }
    /// Returns the reason if the file had to be closed; empty otherwise.
    std::string append(std::string_view records);
    /// Bytes of complete records.
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
