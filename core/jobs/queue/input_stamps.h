#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/media/content_stamp.h"

namespace kinescope {

/// Size and time of the pictures, videos and sound of a request, by absolute path.
using InputStamps = std::map<std::filesystem::path, ContentStamp>;

/// Leaves out files that cannot be opened, which the run reports.
InputStamps input_stamps(VideoRequest request);

/// Which inputs a run reads: all of them, or only the sound if it continues after a saved step.
enum class InputsToRead { all, sound };

/// Returns a warning for each input that has another size or time now. Files without a stamp or that are missing now
/// have no warning.
std::vector<std::string> warnings_about_changed(const InputStamps& before, VideoRequest request, InputsToRead read);

}  // namespace kinescope
