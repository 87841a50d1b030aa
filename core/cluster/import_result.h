#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/cluster/batch_folder.h"

namespace kinescope::cluster {

/// The end of a task as its result describes it.
struct TaskResult {
    Json outcome;        ///< as `generate --json` prints it; the output has its final name
    double seconds = 0;  ///< of the run
};

/// Describes the outputs of an attempt: the outcome, and size and SHA-256 of each file, also in folders.
Json describe_outputs(const std::filesystem::path& outputs, const Json& outcome);

/// Gives the outputs of a finished task their final names, the video last, after it has compared all of them with their
/// SHA-256 and checked that their names are free. A file on another file system is copied under a temporary name. A
/// folder of PNG frames gets its name as a whole, see frame_folder.h. May be called again after an interruption; what
/// was placed before may have been renamed or deleted meanwhile. Outputs beside the video that are damaged or missing
/// are left out; returns a warning for each.
/// Throws Error(output_exists, output_not_writable, disk_full), or Error(file_changed) if the video or the description
/// of the result is damaged or missing; the result then stays where it is.
std::vector<std::string> import_result(const TaskFolder& folder, const VideoTask& task);

/// Reads the result of a finished task. Throws Error(file_changed) if it is damaged.
TaskResult read_result(const TaskFolder& folder, const VideoTask& task);

/// Copies the numeric log of a running task as it grows.
class LiveLog {
public:
    /// `source` belongs to one attempt; the copy starts again when it changes. Ignores errors, because the complete log
    /// follows with the result.
    void update(const std::filesystem::path& source, const std::filesystem::path& copy);

private:
    std::filesystem::path source_;
    std::uintmax_t copied_ = 0;
};

}  // namespace kinescope::cluster
