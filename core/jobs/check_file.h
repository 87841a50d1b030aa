#pragma once

#include <filesystem>
#include <string>

#include "core/api/file_check.h"

namespace kinescope {

/// The SHA-256 that a file was published with: the one in its name, where it lies in the Hugging Face cache; else that
/// of the download (`manifest`, resources/downloads.json) with its name and size. Empty: not known.
std::string published_sha256(const std::filesystem::path& file, const std::filesystem::path& manifest);

/// See Engine::check_file.
FileCheck check_file(const std::filesystem::path& file, const std::filesystem::path& manifest,
                     const CheckProgress& progress);

}  // namespace kinescope
