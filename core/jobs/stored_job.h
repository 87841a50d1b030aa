#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/api/job_record.h"
#include "core/base/json.h"

namespace kinescope {

/// A file by what the file system knows it by, whatever its name.
struct FileNumber {
    std::int64_t device = 0;
    std::int64_t inode = 0;
    bool operator==(const FileNumber&) const = default;
};
/// nullopt: there is no such file.
std::optional<FileNumber> file_number(const std::filesystem::path& file);

/// A job and what its next process has to know of the one before.
struct StoredJob {
    JobRecord record;
    std::filesystem::path base;  ///< what relative paths of the request are meant from
    std::string mark;            ///< in the names of its temporary files
    std::int64_t pid = 0;        ///< of the process that ran it last; 0: none has
    bool has_begun = false;      ///< its outputs were checked: its log is its own
    /// The video when it was whole and about to get its name.
    std::optional<FileNumber> saved = {};
};

/// A new job with a mark of its own, to be worked on from the current folder.
StoredJob make_stored_job(JobId id, VideoRequest request);

Json to_json(const StoredJob& job);
/// Without id and step. Relative paths of the request are laid under `base` where that is not the current folder.
/// Throws JsonError, or Error(bad_request).
StoredJob stored_job_from(const Json& json);

/// Whether the video of a job that was not put down as finished has its name already.
bool is_saved(const StoredJob& job);

/// Removes the temporary files that a killed process left of a job, and what it wrote beside the video. Not those that
/// the user allowed to be replaced.
void remove_leftovers(const StoredJob& job);

}  // namespace kinescope
