#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kinescope {

using Json = nlohmann::json;

/// Text that is no JSON, or JSON that no honest file has. what() is one line for people.
class JsonError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Parses JSON from strangers: nesting deeper than 64 and a key that comes twice in one object are refused, because
/// readers differ in which of the two they take. Throws JsonError.
Json parse_json(std::string_view text);

/// Reads a JSON file of at most 64 MiB. Throws Error(file_not_found, file_unreadable or bad_config) that names the
/// file.
Json read_json(const std::filesystem::path& file);

/// The object in a file that the program keeps for itself; one that is not there or cannot be read is empty.
Json read_kept_json(const std::filesystem::path& file);

}  // namespace kinescope
