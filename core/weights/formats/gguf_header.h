#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

struct GgufEntry {
    TensorEntry tensor;
    std::size_t offset = 0;  ///< in bytes from the start of the file
};

struct GgufHeader {
    std::vector<GgufEntry> entries;
    /// Numbers, flags and strings as text. Contains arrays only if they are short and numeric, as "[1, 2]".
    std::map<std::string, std::string> metadata;
};

/// Parses and validates the header of a whole GGUF file, version 2 or 3. Every returned entry lies inside `file`.
/// Shapes are in PyTorch's order (the file has them reversed), or those of comfy.gguf.orig_shape.<name>. `path` is used
/// in error messages. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
/// Throws Error(checkpoint_truncated, checkpoint_corrupt, unsupported).
GgufHeader parse_gguf_header(std::span<const std::byte> file, const std::filesystem::path& path);

}  // namespace kinescope
