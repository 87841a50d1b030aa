#pragma once

#include <map>
#include <string>

namespace kinescope {

/// Returns the metadata of a video: a title from its prompt, and the comment, which contains the settings as JSON.
std::map<std::string, std::string> video_metadata(const std::string& prompt, std::string comment);

}  // namespace kinescope
