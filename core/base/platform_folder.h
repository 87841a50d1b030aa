#pragma once

#include <filesystem>
#include <system_error>

#include "core/base/open_file.h"

namespace kinescope {

// Calls for folders that std::filesystem does not provide. The ints are 0 on success, otherwise the value of errno.

/// Creates a folder. Fails with EEXIST if the name is taken, also by a folder.
int make_new_folder(const std::filesystem::path& folder, FileAccess access);
/// Removes an empty folder. Does not remove a file that has the name.
int remove_empty_folder(const std::filesystem::path& folder);
/// Returns true if the file or folder belongs to the user who runs this process. Sets `error` if that is unknown.
bool belongs_to_this_user(const std::filesystem::path& path, std::error_code& error);

}  // namespace kinescope
