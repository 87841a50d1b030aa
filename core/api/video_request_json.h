#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns the request in the format of to_json, for use inside another document.
nlohmann::ordered_json request_document(const VideoRequest& request);

/// Returns what belongs to one video in request_document(): model, prompts, inputs, finish steps, seed and files.
nlohmann::ordered_json content_document(const VideoRequest& request);
/// Returns the settings in request_document(): everything that content_document() leaves out.
nlohmann::ordered_json settings_document(const VideoRequest& request);
/// Returns the members of a request document, or of a part of one, that are settings.
nlohmann::ordered_json settings_in(const nlohmann::ordered_json& document);
/// Returns the members of a request document, or of a part of one, that a preset may have: settings and LoRAs.
nlohmann::ordered_json preset_fields_in(const nlohmann::ordered_json& document);

/// Sets the fields of a request from a JSON object. Absent keys keep their value; null unsets an optional field.
/// Returns a fault for every unknown key and every value of the wrong type. Resolves relative paths against `base`
/// unless it is empty.
std::vector<Fault> read_request(const nlohmann::ordered_json& json, const std::filesystem::path& base,
                                VideoRequest& request);

/// Returns the output options without the paths of the files. A video's comment must not reveal the folders of the
/// computer that made it, and a restored request must not overwrite the first video's files.
OutputRequest without_files(const OutputRequest& output);

/// Returns the request in a video's comment, or nullopt for a comment that Kinescope did not write. Throws
/// Error(bad_request) for an unreadable request.
std::optional<VideoRequest> request_in_comment(std::string_view comment);
/// Returns the last step of a video that was decoded early, from the video's comment; 0 if there is none.
int stopped_step_in_comment(std::string_view comment);
/// Returns the comment with another request. `comment`: one from which request_in_comment returns a request.
std::string comment_with(std::string_view comment, const VideoRequest& request);

/// Parses a string that must contain a JSON object. Throws Error(bad_request). `first_line`: the number of its first
/// line in a file, for messages.
nlohmann::ordered_json parse_request_object(std::string_view text, int first_line = 1);

}  // namespace kinescope
