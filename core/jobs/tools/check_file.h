#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/api/file_check.h"

namespace kinescope {

/// Returns the SHA-256 of the published file: the name of the linked file in the Hugging Face cache, otherwise the
/// entry of `manifest` (resources/downloads.json) with the same name and size. Returns an empty string if it is
/// unknown.
std::string published_sha256(const std::filesystem::path& file, const std::filesystem::path& manifest);

/// Receives the number of bytes read so far and the total number. Returns false to stop.
using CheckProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

/// Checks a file, see ModelCatalog::check_file(). For `manifest`, see published_sha256().
FileCheck check_file(const std::filesystem::path& file, const std::filesystem::path& manifest,
                     const CheckProgress& progress);

}  // namespace kinescope
