#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kinescope {

/// Unpacks members of a zip archive below `folder`, under the same relative paths. `observer` is called frequently and
/// may throw. Throws Error(file_unreadable) for a damaged archive or a missing member, and Error(disk_full or
/// output_not_writable) if a file cannot be written.
void unzip_members(const std::filesystem::path& archive, const std::vector<std::string>& members,
                   const std::filesystem::path& folder, const std::function<void()>& observer);

}  // namespace kinescope
