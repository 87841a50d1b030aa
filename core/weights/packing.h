#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// Quantized GGUF formats, which store several values in a block of bytes. `none` means that values are stored
/// individually.
enum class Packing { none, q4_0, q4_1, q5_0, q5_1, q8_0, q4_k, q5_k, q6_k };

struct BlockSize {
    std::int64_t numbers = 1;
    std::int64_t bytes = 1;
};

/// Returns the number of values and bytes in a block. Both are 1 for Packing::none.
BlockSize block_size(Packing packing);

/// Returns the name of a format, such as "gguf q4_k"; empty for Packing::none.
std::string packing_name(Packing packing);

}  // namespace kinescope
