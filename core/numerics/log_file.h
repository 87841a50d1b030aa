#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/api/video_request.h"
#include "core/base/append_file.h"

namespace kinescope {

/// The beginning of a log, by which the run that continues recognizes it.
struct LogHead {
    std::int64_t bytes = 0;  ///< 0: unknown, as in checkpoints of earlier versions
    std::uint64_t hash = 0;
};

/// The part of a log by which it is recognized. The first record is enough if it differs between runs.
enum class LogIdentity { first_record, all_records };

/// What a run that continues knows of its log.
struct KeptLog {
    std::int64_t bytes = 0;  ///< its length when the checkpoint was saved
    LogHead head = {};
    OverwriteMode overwrite = OverwriteMode::refuse;  ///< whether the log of another run may be replaced
};

/// A text file that grows record by record. If the disk is full, the file is truncated after its last complete record
/// and closed.
class LogFile {
public:
    /// Truncates a file of an earlier process to `kept` and appends to it. A file that is shorter becomes empty. If
    /// `path` is empty, nothing is written. Creates missing folders. Throws Error(output_not_writable,
    /// file_unreadable), or Error(output_exists) if another run is writing the file or has written it instead of the
    /// earlier process.
    LogFile(const std::filesystem::path& path, const KeptLog& kept, LogIdentity identity);

    bool is_open() const { return file_.is_open(); }
    /// Appends records. Returns the reason if the file had to be closed, otherwise an empty string.
    std::string append(std::string_view records);
    /// Returns the length of all complete records in bytes.
    std::int64_t length() const { return length_; }
    const LogHead& head() const { return head_; }
    /// Returns false if records are missing at the end.
    bool is_whole() const { return is_whole_; }

private:
    std::string give_up(int error_number);
    void add_to_head(std::string_view records);

    AppendFile file_;
    LogIdentity identity_;
    LogHead head_;
    std::int64_t length_ = 0;
    bool is_whole_ = true;
};

}  // namespace kinescope
