#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/weights/byte_cursor.h"

namespace kinescope {

/// The key-value pairs at the start of a GGUF file.
struct GgufValues {
    std::map<std::string, std::string> texts;                   ///< see GgufHeader::metadata
    std::map<std::string, std::vector<std::int64_t>> integers;  ///< whole numbers, and short arrays of such
};

/// Text with 64 bits of length before it; refused where it is not UTF-8.
std::string read_gguf_text(ByteCursor& cursor, const Refusal& refusal);

/// Reads `count` pairs. Long arrays (a tokenizer's words) are passed over.
GgufValues read_gguf_values(ByteCursor& cursor, std::uint64_t count, const Refusal& refusal);

}  // namespace kinescope
