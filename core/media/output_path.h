#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/resolved_request.h"
#include "core/base/atomic_file.h"

namespace kinescope {

/// Removes a trailing slash: "frames/" -> "frames".
std::filesystem::path without_trailing_slash(const std::filesystem::path& folder);

/// Returns true if an output would replace a source: both are one file or one folder, the source is a file in the
/// folder that is the output, or the output is one of the pictures in the folder that is the source.
bool replaces(const std::filesystem::path& source, const std::filesystem::path& output);

/// Throws Error(bad_request) if an output would replace one of the files from which it is made. Skips empty paths.
void refuse_to_replace(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& output);

/// Returns the error for a failed open, mkdir or rename of `path`: output_exists, disk_full or output_not_writable.
Error output_error(int error_number, const std::filesystem::path& path);

/// Returns the error for a failed write: disk_full, or encode_failed for any other cause, such as a broken disk.
Error write_error(int error_number, const std::filesystem::path& path, std::int64_t written_bytes);

/// Throws Error(encode_failed) if the unfinished output no longer exists, because it was deleted, or its folder was
/// removed or renamed.
void throw_if_lost(const std::filesystem::path& temporary, const std::filesystem::path& target);

/// Returns a hidden name in the same folder with the same extension: `.clip.part-1a2b3c4d.mp4`. The name contains
/// `mark` (letters and digits), by which remove_temporaries() finds it.
std::filesystem::path temporary_name(const std::filesystem::path& target, const std::string& mark = {});

/// Removes the temporary files with this mark in the folder of `target`, which killed processes have left. Does nothing
/// if `mark` is empty.
void remove_temporaries(const std::filesystem::path& target, const std::string& mark);

/// Moves `from` to the first free name after `target` (clip-1.mp4, clip-2.mp4, ...). Returns the new path, or an empty
/// path if there is no free name.
std::filesystem::path keep_beside(const std::filesystem::path& from, const std::filesystem::path& target);

/// Returns the size of a finished output in bytes: the size of a file, or the sum of the files in a folder. Returns 0
/// if it does not exist.
std::int64_t output_size(const std::filesystem::path& output);

/// Returns the folders that the outputs of a request need and that do not exist yet, as unique absolute paths.
std::vector<std::filesystem::path> missing_folders(const ResolvedOutput& output);

/// Creates the missing parent folders of an output. The destructor removes the created folders that are empty, unless
/// keep() was called.
class ParentFolders {
public:
    /// Creates the folders. Throws Error(output_not_writable, disk_full).
    explicit ParentFolders(const std::filesystem::path& target);
    ~ParentFolders();
    ParentFolders(const ParentFolders&) = delete;
    ParentFolders& operator=(const ParentFolders&) = delete;

    void keep() { made_.clear(); }

private:
    void remove_made() noexcept;

    std::vector<std::filesystem::path> made_;  ///< outermost first
};

}  // namespace kinescope
