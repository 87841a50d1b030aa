#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Position of a tensor's values in the file.
struct SafetensorsEntry {
    TensorEntry tensor;
    std::size_t offset = 0;  ///< in bytes from the start of the file
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  ///< in the order of the data
    std::map<std::string, std::string> metadata;
};

/// Parses and validates the header of a whole safetensors file: every returned entry lies inside `file`, without gaps
/// or overlaps. `path` is used in error messages.
/// Format: 8 bytes with the little-endian length N, N bytes of JSON {name: {dtype, shape, data_offsets}}, the data.
/// Throws Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
SafetensorsHeader parse_safetensors_header(std::span<const std::byte> file, const std::filesystem::path& path);

}  // namespace kinescope
