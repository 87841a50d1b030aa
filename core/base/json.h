#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace kinescope {

using Json = nlohmann::json;

/// Reads a JSON file of at most 64 MiB. Throws Error(file_not_found, file_unreadable or bad_config) that names the file.
Json read_json(const std::filesystem::path& file);

}  // namespace kinescope
