#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope::computers {

/// Splits a command into words as a shell does, without a shell: spaces separate words, quotes and backslashes keep
/// them together; nothing else has a meaning. Throws Error(bad_request) for no word, an open quote, or control
/// characters.
std::vector<std::string> split_command(std::string_view command);

/// Returns the program that the first word of a command names: a path with a slash unchanged, a name from the folders
/// of `search_path` (the environment's PATH). Throws Error(file_not_found).
std::filesystem::path program_of(const std::string& word, const std::string& search_path);

}  // namespace kinescope::computers
