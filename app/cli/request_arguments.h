#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/json_values.h"

namespace CLI {
class App;
}

namespace kinescope::cli {

/// The flags that describe a video, as they were given: --num-frames 9 is {"num_frames": 9}. A text that is no number
/// stays a text, so that reading the request finds every fault, wrong types too, in one place.
struct RequestArguments {
    Json flags = Json::object();
    std::filesystem::path request_file;  ///< --request: JSON, or a video made by Kinescope
};

/// Adds every request flag to a command. `arguments` must outlive the parsing.
void add_request_flags(CLI::App& command, RequestArguments& arguments);

/// A request and all that is wrong with it so far.
struct ReadRequest {
    VideoRequest request;
    std::vector<Fault> faults;
};

/// Lays flags over a request. The model and other inputs become absolute paths, so that the video's metadata holds
/// wherever it is opened; outputs stay as they were typed.
ReadRequest apply_flags(VideoRequest request, const Json& flags);

/// The request of --request with the flags over it. Throws Error when the file cannot be read.
ReadRequest read_arguments(const RequestArguments& arguments, Engine& engine);

/// Adds the faults that the model's card finds in fields that have none yet. Throws Error when there is no such model.
void validate_with_card(ReadRequest& read, Engine& engine);

/// The bytes of a small text file. Throws Error(file_not_found, file_unreadable).
std::string read_text_file(const std::filesystem::path& file);

}  // namespace kinescope::cli
