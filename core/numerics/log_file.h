#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/append_file.h"

namespace kinescope {

/// A text file that grows record by record and is whole after each. Where the disk takes no more, it is cut to its last
/// whole record and left alone from then on.
class LogFile {
public:
    /// A file of an earlier process is cut to `kept` bytes and gone on with; one that is shorter, or with nothing kept,
    /// begins anew. An empty path: a file that takes everything and keeps nothing. Makes missing folders. Throws
    /// Error(output_not_writable), and Error(output_exists) while another run writes the file.
    LogFile(const std::filesystem::path& path, std::int64_t kept);

    bool is_open() const { return file_.is_open(); }
    /// Why the file was left alone just now; empty when all is well, and after that was told once.
    std::string append(std::string_view records);
    /// Bytes of whole records.
    std::int64_t length() const { return length_; }
    /// False: records are missing at its end.
    bool is_whole() const { return is_whole_; }

private:
    std::string give_up(int error_number);

    AppendFile file_;
    std::int64_t length_ = 0;
    bool is_whole_ = true;
};

}  // namespace kinescope
