#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace kinescope::cluster {

/// Calls `use` with each part of a file on the shared storage, at most 1 MiB each. Throws Error(file_unreadable).
void read_parts(const std::filesystem::path& file, const std::function<void(std::span<const std::byte>)>& use);

}  // namespace kinescope::cluster
