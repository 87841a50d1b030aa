#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace kinescope {

/// Returns the entries of a folder. Sets `error` if the folder cannot be read to its end, and then returns those
/// before. Unlike a loop over std::filesystem::directory_iterator, which throws such an error, this does not throw.
std::vector<std::filesystem::directory_entry> entries_of(const std::filesystem::path& folder, std::error_code& error);

}  // namespace kinescope
