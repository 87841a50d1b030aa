#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/api/job.h"
#include "core/base/json.h"

namespace kinescope {

// A file with the jobs that a queue has given to another computer or to a cluster. It is the only list of the jobs that
// still run there.

/// Reads the file and passes each of its jobs to `take`. Returns the last id; 0: there is no file. Throws
/// Error(file_unreadable); Error(unsupported) if the file is of a later version, whose format is unknown or for whose
/// jobs `take` throws of_later_version(); and Error(bad_config) with this hint if the file is damaged.
JobId read_job_list(const std::filesystem::path& file, const std::string& hint_if_damaged,
                    const std::function<void(const Json& job)>& take);
/// Throws Error(output_not_writable or disk_full).
void save_job_list(const std::filesystem::path& file, JobId last_id, const Json& jobs);

/// Returns the members of a job in such a file that describe the job itself. `waits_for` is not saved.
Json listed_job_json(const Job& job);
/// Reads what listed_job_json() returns, from a document that may have more members. Throws of_later_version(),
/// JsonError.
Job listed_job(const Json& document);

/// Reads the request of a job in such a file: a string with a JSON document. Throws of_later_version(), JsonError.
VideoRequest listed_request(const Json& text);

}  // namespace kinescope
