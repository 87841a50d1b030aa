#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/api/run_event.h"
#include "core/base/file_identity.h"
#include "core/base/json.h"
#include "core/numerics/log_file.h"

namespace kinescope {

/// The first record of a log.
struct NumericLogHeader {
    std::string version;  ///< of the program
    std::string started;  ///< ISO 8601, UTC
    VideoRequest request;
    std::string device;
    std::map<std::string, std::string> libraries;
    std::map<std::string, std::string> settings;  ///< LibTorch's numeric switches, as read back from it
    ModelCard card;
    std::vector<FileIdentity> model_files;
    PolicySummary policy;
};

/// Statistics of one finished frame.
struct FrameRecord {
    int index = 0;
    double mean = 0;  ///< mean value, 0..1
    double std = 0;
    std::int64_t nonfinite = 0;
    bool black = false;
};

/// The records of a log as JSON, described by resources/numeric_log.schema.json.
Json header_record(const NumericLogHeader& header);
Json stat_record(const NumericSample& sample);
/// Returns the record of an accepted run of an encoder, or of one of its chunks.
Json encode_record(const std::string& component, double seconds);
Json step_record(const StepCompleted& step);
Json rounding_record(const RoundingMeasured& rounding);
Json guard_record(const GuardActed& guard);
Json frame_record(const FrameRecord& frame);
Json summary_record(const RunResult& result, const std::string& reason);

/// Lengths of a log's files in bytes, and their beginnings.
struct LogLengths {
    std::int64_t json_lines = 0;
    std::int64_t csv = 0;
    LogHead json_lines_head = {};
    LogHead csv_head = {};
};

/// Writes JSON Lines, and the stat records as CSV. Flushes every record, so that a killed run leaves a valid log up to
/// its last step. If a path is empty, that file is not written. A full disk ends the log, but not the run.
class NumericLog {
public:
    /// Receives the reason why a file ends early, once for each file.
    using OnEarlyEnd = std::function<void(const std::string& words)>;

    /// Truncates files of an earlier process to `kept` and appends to them. A file that is shorter becomes empty.
    /// Throws Error(output_not_writable, file_unreadable), or Error(output_exists) if another run is writing the file
    /// or, unless `overwrite` allows to replace it, has written it instead of the earlier process.
    NumericLog(const std::filesystem::path& json_lines, const std::filesystem::path& csv, const LogLengths& kept,
               OnEarlyEnd on_early_end, OverwriteMode overwrite = OverwriteMode::refuse);
    void write(const Json& record);
    void write(const std::vector<NumericSample>& samples);
    LogLengths lengths() const {
        return {.json_lines = json_lines_.length(),
                .csv = csv_.length(),
                .json_lines_head = json_lines_.head(),
                .csv_head = csv_.head()};
    }
    /// Returns false if the JSON Lines file ends early.
    bool is_whole() const { return json_lines_.is_whole(); }

private:
    void append(LogFile& file, const std::string& records);

    LogFile json_lines_;
    LogFile csv_;
    OnEarlyEnd on_early_end_;
};

}  // namespace kinescope
