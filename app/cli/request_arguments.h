#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/cli/json_values.h"

namespace kinescope::cli {

/// The flags that describe a video: --num-frames 9 becomes {"num_frames": 9}. Invalid numbers stay strings, so that
/// read_request() reports all faults, including wrong types.
struct RequestArguments {
    Json flags = Json::object();
    std::filesystem::path request_file;  ///< --request: JSON, or a video made by Kinescope
    /// Other names under which options were typed, by their fields: {"num_inference_steps", "--steps"}. Messages use
    /// them.
    std::map<std::string, std::string> aliases = {};
};

/// A request and the faults found so far.
struct ReadRequest {
    VideoRequest request;
    std::vector<Fault> faults;
    int line = 0;  ///< of a batch; 0: none
};

/// Overrides fields of a request with flags. Makes paths of the model and of inputs absolute, so that the metadata of
/// the video is valid in every folder. Does not change output paths.
ReadRequest apply_flags(VideoRequest request, const Json& flags);

/// Reads --request and applies the flags. Throws Error if the file cannot be read.
ReadRequest read_arguments(const RequestArguments& arguments, Engine& engine);

/// Validates the request with the model card. Adds faults for fields that have none yet. Throws Error if the model is
/// not found.
void validate_with_card(ReadRequest& read, Engine& engine);

/// Reads a text file of up to 64 MiB, or standard input for "-" and "/dev/stdin". Throws Error(file_not_found,
/// file_unreadable).
std::string read_text_file(const std::filesystem::path& file);

/// Returns the folder to which the names in such a file are relative: its own, or the current one for standard input.
std::filesystem::path folder_of_names(const std::filesystem::path& file);

}  // namespace kinescope::cli
