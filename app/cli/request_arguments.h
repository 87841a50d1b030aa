#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/cli/json_values.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

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

/// Lets an option of a list type be repeated, with one word each time. Returns the option. CLI11 would otherwise accept
/// several words at once, and split a word in square brackets at its commas.
CLI::Option* make_repeatable(CLI::Option* option);

/// The flags of files that a run writes: --output, --numeric-log and the like. A command that writes none leaves them
/// out.
enum class FileFlags { offered, left_out };

/// Adds the request flags to a command. `arguments` must exist until the command line is parsed.
void add_request_flags(CLI::App& command, RequestArguments& arguments, FileFlags files = FileFlags::offered);

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

/// Names the options of the command line instead of the fields of the request, except for fields that come from a
/// request file.
std::vector<Fault> with_option_names(std::vector<Fault> faults, const RequestArguments& arguments);
/// The same for errors that are about the request. Returns other errors unchanged, which name keys of files.
Error with_option_names(const Error& error, const RequestArguments& arguments);
/// The same for a note, which is about no fault.
std::string note_with_option_names(std::string note, const RequestArguments& arguments);

/// Reads a text file of up to 64 MiB, or standard input for "-" and "/dev/stdin". Throws Error(file_not_found,
/// file_unreadable).
std::string read_text_file(const std::filesystem::path& file);

/// Returns the folder to which the names in such a file are relative: its own, or the current one for standard input.
std::filesystem::path folder_of_names(const std::filesystem::path& file);

}  // namespace kinescope::cli
