#pragma once

#include <filesystem>

#include "core/api/video_request.h"
#include "core/base/part_files.h"

namespace kinescope {

/// Returns the video of a part of a long video, see VideoRequest::next_prompts.
std::filesystem::path part_video(const std::filesystem::path& job, int part);
/// Returns true if the video of a part has the size in the part's result. A copy that was cut short, for example by a
/// full disk, has another size. Throws Error(file_unreadable), as the next functions do, if the files cannot be read
/// now: the part may be complete.
bool is_complete_part(const std::filesystem::path& job, int part);
/// Returns the first part that is not complete. Never a part after the last one, which has no video in the folder.
int first_missing_part(const std::filesystem::path& job, const VideoRequest& request);

/// Returns the number of finished steps in the folder of a job, over all parts. `request` is resolved.
int saved_steps(const std::filesystem::path& job, const VideoRequest& request);
/// Throws Error(file_unreadable, file_changed) if the files cannot be read now: they may contain steps.
bool has_saved_step(const std::filesystem::path& job);
/// Deletes the checkpoint of a job and the folders of its parts.
void remove_saved_steps(const std::filesystem::path& job);

}  // namespace kinescope
