#pragma once

#include <filesystem>

#include "core/api/bounded_json.h"

namespace kinescope {

using Json = nlohmann::json;

/// Reads a JSON file of up to 64 MiB. Throws Error(file_not_found, file_unreadable or bad_config), which names the
/// file.
Json read_json(const std::filesystem::path& file);

}  // namespace kinescope
