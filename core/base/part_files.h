#pragma once

#include <filesystem>
#include <vector>

namespace kinescope {

// A job that makes a long video has a folder for each part. It contains the checkpoint of the part and, when the part
// is complete, its result and its video.

/// Returns the folder of a part, which is 0 for the first one, in the folder of its job.
std::filesystem::path part_folder(const std::filesystem::path& job, int part);
/// Returns the folders of all parts in the folder of a job.
std::vector<std::filesystem::path> part_folders(const std::filesystem::path& job);

/// Names of the files in the folder of a part.
inline constexpr const char* kPartVideo = "video.mkv";
inline constexpr const char* kPartResult = "result.json";

}  // namespace kinescope
