#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/api/file_check.h"

namespace kinescope {

/// The SHA-256 of the published file: part of the file name in the Hugging Face cache, else listed in `manifest`
/// (resources/downloads.json) for the same name and size. Empty: unknown.
std::string published_sha256(const std::filesystem::path& file, const std::filesystem::path& manifest);

/// Gets the number of bytes read so far and in total; returns false to stop.
using CheckProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

/// See ModelCatalog::check_file. `manifest` as above.
FileCheck check_file(const std::filesystem::path& file, const std::filesystem::path& manifest,
                     const CheckProgress& progress);

}  // namespace kinescope
