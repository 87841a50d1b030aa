#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// What to_json writes, as a value that can stand inside of another document.
nlohmann::ordered_json request_document(const VideoRequest& request);

/// Lays the values of a JSON object over a request: keys that are absent keep their value, null unsets an optional one.
/// Returns a fault for every unknown key and every value of the wrong type. Relative paths are taken from `base`, or
/// stay as they are when it is empty.
std::vector<Fault> read_request(const nlohmann::ordered_json& json, const std::filesystem::path& base,
                                VideoRequest& request);

/// The request in the comment of a video; nothing where the comment is not that of a video of Kinescope. Throws
/// Error(bad_request) for a request of another version.
std::optional<VideoRequest> request_in_comment(std::string_view comment);

/// The JSON object of a text. Throws Error(bad_request).
nlohmann::ordered_json parse_request_object(std::string_view text);

}  // namespace kinescope
