#pragma once

#include <filesystem>

namespace kinescope {

// Renames that std::filesystem does not provide. They return 0 on success, otherwise the value of errno.

/// Swaps two names atomically. Fails with ENOSYS or EINVAL if the system or the file system cannot do this.
int exchange_names(const std::filesystem::path& a, const std::filesystem::path& b);
/// Renames `from` to `to`. Fails with EEXIST instead of replacing what exists. On file systems without such a call,
/// uses a hard link, or else creates the name first and renames over it.
int rename_without_replacing(const std::filesystem::path& from, const std::filesystem::path& to);
/// Flushes a file to the disk. Returns 0 on success, otherwise the value of errno.
int sync_file(const std::filesystem::path& file);

}  // namespace kinescope
