#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/api/error.h"
#include "core/api/video_request.h"
#include "core/base/atomic_file.h"

namespace kinescope {

/// "frames" for "frames/".
std::filesystem::path without_trailing_slash(const std::filesystem::path& folder);

/// What a failed open, mkdir or rename of `path` means to the user: output_exists, disk_full or output_not_writable.
Error output_error(int error_number, const std::filesystem::path& path);

/// What a failed write means: disk_full, or encode_failed for a disk that is broken.
Error write_error(int error_number, const std::filesystem::path& path, std::int64_t written_bytes);

/// Throws Error(encode_failed) if what was written so far is gone: deleted, or its folder removed or renamed.
void throw_if_lost(const std::filesystem::path& temporary, const std::filesystem::path& target);

/// A name in the same folder that nobody looks at and that keeps the ending: `.clip.part-1a2b3c4d.mp4`.
/// `mark`, of letters and digits, stands in it: remove_temporaries finds it again.
std::filesystem::path temporary_name(const std::filesystem::path& target, const std::string& mark = {});

/// Removes what a killed process left beside `target` under such names. An empty mark: nothing.
void remove_temporaries(const std::filesystem::path& target, const std::string& mark);

/// rename(2) that never replaces anything. Returns 0 or errno.
int rename_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to);

/// Moves `from` to the first free name after `target` (clip-1.mp4, clip-2.mp4 ...). Empty: there is none.
std::filesystem::path keep_beside(const std::filesystem::path& from, const std::filesystem::path& target);

/// Bytes of a finished output: a file, or the files of a folder; 0 where there is none.
std::int64_t output_size(const std::filesystem::path& output);

/// The folders that do not exist yet and that a request's files are to lie in, each once, as absolute paths.
std::vector<std::filesystem::path> missing_folders(const OutputRequest& output);

/// Creates the missing folders above an output, and takes the empty ones away again unless the output came to be.
class ParentFolders {
public:
    /// Throws Error(output_not_writable, disk_full).
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
