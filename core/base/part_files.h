#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace kinescope {

// A job that makes a long video has a folder for each part. It contains the checkpoint of the part, until the next part
// is complete, and, when the part is complete, its result and its video. The video of the first part begins with the
// one that the job continues, if there is one. Each further one begins with the frames of the part before it that it
// repeats, blended with its own.

/// Returns the folder of a part, which is 0 for the first one, in the folder of its job.
std::filesystem::path part_folder(const std::filesystem::path& job, int part);
/// Returns the folders of all parts in the folder of a job. Sets `error` if the folder cannot be read to its end.
std::vector<std::filesystem::path> part_folders(const std::filesystem::path& job, std::error_code& error);

/// The file of a job, or of its first part, with the stamp of the video that it continues.
inline constexpr const char* kContinuedStamp = "continued.json";

/// Names of the files in the folder of a part.
inline constexpr const char* kPartVideo = "frames.mkv";
inline constexpr const char* kPartResult = "result.json";

}  // namespace kinescope
