#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kinescope {

/// Tells a file of weights from another at the cost of a small read: its size, and a hash of its beginning. It does not
/// prove that the values behind it are the same.
struct FileIdentity {
    std::filesystem::path file;
    std::int64_t bytes = 0;
    std::string header_sha256;  ///< of a safetensors file's length and header; of the first MiB of another kind of file
};

/// Throws Error(file_not_found or file_unreadable).
FileIdentity identify_file(const std::filesystem::path& file);

}  // namespace kinescope
