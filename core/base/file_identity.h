#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kinescope {

/// Distinguishes weight files quickly, by size and a hash of the beginning. Equal identities do not prove equal
/// weights.
struct FileIdentity {
    std::filesystem::path file;
    std::int64_t bytes = 0;
    std::string header_sha256;  ///< of the header of a safetensors file, or of the first MiB of another file
};

/// Reads the identity of a file. Throws Error(file_not_found or file_unreadable).
FileIdentity identify_file(const std::filesystem::path& file);

}  // namespace kinescope
