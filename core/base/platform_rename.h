#pragma once

#include <filesystem>

namespace kinescope {

// Renames that std::filesystem does not have. They return 0, or the value of errno; ENOSYS or EINVAL if the system or
// the file system cannot do it.

/// Swaps two names in one step.
int exchange_names(const std::filesystem::path& a, const std::filesystem::path& b);
/// Fails with EEXIST instead of replacing `to`.
int rename_without_replacing(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace kinescope
