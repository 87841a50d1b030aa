#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/weights/formats/byte_cursor.h"

namespace kinescope {

/// The key-value pairs at the start of a GGUF file.
struct GgufValues {
    std::map<std::string, std::string> texts;                   ///< see GgufHeader::metadata
    std::map<std::string, std::vector<std::int64_t>> integers;  ///< integers, and short arrays of integers
};

/// Reads a string, which follows its 64-bit length. Throws Error(checkpoint_corrupt) if it is not valid UTF-8.
std::string read_gguf_text(ByteCursor& cursor, const Refusal& refusal);

/// Reads `count` key-value pairs. Skips long arrays, such as a tokenizer's vocabulary.
GgufValues read_gguf_values(ByteCursor& cursor, std::uint64_t count, const Refusal& refusal);

}  // namespace kinescope
