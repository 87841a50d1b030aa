#pragma once

#include <filesystem>

#include "core/api/bounded_json.h"

namespace kinescope {

using Json = nlohmann::json;

/// Reads a JSON file of at most 64 MiB. Throws Error(file_not_found, file_unreadable or bad_config) that names the
/// file.
Json read_json(const std::filesystem::path& file);

/// The object in a file that the program keeps for itself; one that is not there or cannot be read is empty.
Json read_kept_json(const std::filesystem::path& file);

}  // namespace kinescope
