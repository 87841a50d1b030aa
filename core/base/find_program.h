#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// Returns true for a regular file that somebody may execute.
bool is_program(const std::filesystem::path& file);

/// Returns the first program of this name in the absolute folders of a search path such as $PATH. nullopt: none.
std::optional<std::filesystem::path> find_program(const std::string& name, std::string_view search_path);

}  // namespace kinescope
