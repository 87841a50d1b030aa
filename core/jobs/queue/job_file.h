#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/api/job.h"
#include "core/api/run_event.h"
#include "core/base/json.h"
#include "core/jobs/queue/input_stamps.h"

namespace kinescope {

/// Identifies a file independently of its name, by its device and its number on this device.
struct FileNumber {
    std::int64_t device = 0;
    std::int64_t inode = 0;
    bool operator==(const FileNumber&) const = default;
};
/// Returns the number of a file, or nullopt if the file does not exist.
std::optional<FileNumber> file_number(const std::filesystem::path& file);

/// A complete video and its result.
struct WrittenVideo {
    FileNumber number;
    RunResult result;                      ///< without paths
    std::vector<FileNumber> tensors = {};  ///< files of --latents and --frames that belong to it
};

/// The contents of job.json: a job, and data about the process that ran it last, for later processes.
struct JobFile {
    Job job;
    std::filesystem::path base;  ///< folder to which relative paths of the request refer
    std::string mark;            ///< see RunControl::mark
    std::int64_t pid = 0;        ///< of the process that ran the job last; 0: it has not run
    bool has_begun = false;      ///< its outputs were checked, so its numeric log belongs to it
    /// The complete video, recorded just before it gets its final name.
    std::optional<WrittenVideo> video = {};
    InputStamps inputs = {};  ///< when the job was queued; empty for jobs of earlier versions
};

/// Returns a new job with a unique mark. Relative paths in its request refer to the current folder.
JobFile make_job_file(JobId id, VideoRequest request);

Json to_json(const JobFile& file);
/// Parses job.json. Does not set the id and the step. Resolves relative paths of the request against `base`, unless
/// `base` is the current folder. Throws JsonError, and Error(unsupported) for a job of a later version, whose format or
/// request this version does not know.
JobFile job_file_from(const Json& json);

/// Returns true if the final video exists, even if the job is not marked as finished.
bool has_final_video(const JobFile& file);

/// Removes the temporary files of a killed process, and the tensor files that it wrote in addition to the video, unless
/// the request allows replacing them. Files of others under these names stay.
void remove_leftovers(const JobFile& file);

/// Prepares a job that has run for other settings: forgets its video, so that it is not reported for them. Removes what
/// a killed process left, unless the final video exists.
void forget_video(JobFile& file);

}  // namespace kinescope
